// Writes to the table: JSON, with the token that shows that a page of this very table sends them.

let token = null;

async function askToken() {
  const reply = await fetch("/api/v1/session");
  if (reply.ok) token = (await reply.json()).csrf;
}

function sendOnce(method, path, body) {
  return fetch(path, {
    method,
    headers: { "Content-Type": "application/json", "X-CSRF-Token": token ?? "" },
    body: JSON.stringify(body),
  });
}

// Sends a write and gives the reply back; a token that has expired is asked for once more.
export async function send(path, body, method = "POST") {
  if (token === null) await askToken();
  const reply = await sendOnce(method, path, body);
  if (reply.status !== 403) return reply;
  const why = await reply.clone().json().catch(() => ({}));
  if (why.code !== "bad_csrf_token") return reply;
  await askToken();
  return sendOnce(method, path, body);
}

// Sends a picture as it is.
export async function sendPicture(path, file) {
  if (token === null) await askToken();
  const headers = { "Content-Type": file.type, "X-CSRF-Token": token ?? "" };
  return fetch(path, { method: "POST", headers, body: file });
}
