// Sentences in the language of the page. Everything is written in English, the sentence is its own
// key; what is missing stays English. A plural is chosen by the rule of the language.

const language = document.documentElement.lang || "en";
const rules = new Intl.PluralRules(language);
const known = language === "en" ? {} : await load();

async function load() {
  const reply = await fetch(new URL(`../words/${language}.json`, import.meta.url)).catch(() => null);
  return reply?.ok ? reply.json() : {};
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (field, name) => (name in values ? values[name] : field));
}

export function _(sentence, values = {}) {
  return filled(known[sentence] ?? sentence, values);
}

export function ngettext(singular, plural, n, values = {}) {
  const forms = known[singular] ?? [singular, plural];
  const form = rules.select(n) === "one" ? forms[0] : forms[1];
  return filled(form ?? plural, { n, ...values });
}
