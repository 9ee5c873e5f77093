/** The two ways in which a request goes wrong: the service says no, or it says nothing. */

/** What the service said is wrong (RFC 9457); `path` leads to the field at fault, if it is known. */
export class Problem extends Error {
  /** @param {{status: number, title: string, detail: string, path?: (string|number)[], field?: string}} it */
  constructor({ status, title, detail, path, field }) {
    super(detail);
    Object.assign(this, { status, title, path: path ?? field?.split(".") ?? [] });
  }
}

/** No answer came: the service is away, or the network is. */
export class Unreachable extends Error {
  constructor() {
    super("The service cannot be reached. Try again: what you entered is still here; nothing is done twice.");
  }
}

/** Tell whether the same request may succeed later. */
export const mayPass = (error) =>
  error instanceof Unreachable || (error instanceof Problem && error.status >= 500);

/** Return the problem that a response tells of. */
export async function readProblem(response) {
  const { status, statusText: title } = response;
  const found = { status, title, detail: `The service answered ${status} ${title}.` };
  try {
    const type = response.headers.get("Content-Type") ?? "";
    if (type.includes("problem+json")) Object.assign(found, await response.json());
  } catch {
    // what came is no document; the status has to do
  }
  return new Problem(found);
}
