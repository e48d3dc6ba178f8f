// Writes to the table: JSON, with the token that shows that a page of this very table sends them.

const LONGEST_KEPT = 30_000; // browsers send up to 64 KiB on after their page was left

let token = null;

async function askToken() {
  const reply = await fetch("/api/v1/session").catch(() => null);
  if (reply?.ok) token = (await reply.json()).csrf;
}

const asked = askToken(); // a first tap should not have to wait for it

// A page that was left still sends what was tapped last, as long as that is short.
function sendOnce(method, path, body) {
  const text = JSON.stringify(body);
  return fetch(path, {
    method,
    headers: { "Content-Type": "application/json", "X-CSRF-Token": token ?? "" },
    body: text,
    keepalive: text.length < LONGEST_KEPT,
  });
}

async function haveToken() {
  await asked;
  if (token === null) await askToken();
}

// Sends a write and gives the reply back; a token that has expired is asked for once more.
export async function send(path, body, method = "POST") {
  await haveToken();
  const reply = await sendOnce(method, path, body);
  if (reply.status !== 403) return reply;
  const why = await reply.clone().json().catch(() => ({}));
  if (why.code !== "bad_csrf_token") return reply;
  await askToken();
  return sendOnce(method, path, body);
}

// Sends a picture as it is.
export async function sendPicture(path, file) {
  await haveToken();
  const headers = { "Content-Type": file.type, "X-CSRF-Token": token ?? "" };
  return fetch(path, { method: "POST", headers, body: file });
}
