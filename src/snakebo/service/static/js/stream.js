/** Server-sent events, read from the body of a response: EventSource could not send the token. */

const SILENCE_MS = 40_000; // the service says something every 15 s; after this long the line is dead

/**
 * Yield the messages of a stream as they come; ends when the stream does, throws when it breaks or falls
 * silent.
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<import("./types.js").Message>}
 */
export async function* readMessages(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await soon(reader.read());
      if (done) return;
      const blocks = (text + value).split("\n\n");
      text = blocks.pop();
      for (const block of blocks) {
        const message = parse(block);
        if (message) yield message;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Return a message, or null for a comment. */
function parse(block) {
  const fields = {};
  for (const line of block.split("\n")) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name) fields[name] = value;
  }
  const { id, event, data } = fields;
  return data ? { id: Number(id), event, data: JSON.parse(data) } : null;
}

function soon(promise) {
  let timer;
  const silence = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("The service has fallen silent.")), SILENCE_MS);
  });
  return Promise.race([promise, silence]).finally(() => clearTimeout(timer));
}
