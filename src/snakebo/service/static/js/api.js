/** The API: one function for each request. */

import { Unreachable, readProblem } from "./problem.js";
import { currentToken, renewToken } from "./token.js";

/** @typedef {import("./types.js").Campaign} Campaign */
/** @typedef {import("./types.js").Plan} Plan */
/** @typedef {import("./types.js").Trial} Trial */

/**
 * Send a request and return the response; asks for the token when the service does.
 * @param {string} path below /api
 * @param {{method?: string, body?: string, type?: string, headers?: Object<string, string>,
 *   signal?: AbortSignal}} [options]
 */
async function send(path, { method = "GET", body, type = "application/json", headers, signal } = {}) {
  for (;;) {
    const token = currentToken();
    const sent = { ...headers };
    if (body !== undefined) sent["Content-Type"] = type;
    if (token) sent.Authorization = `Bearer ${token}`;
    let response;
    try {
      response = await fetch(`/api${path}`, { method, body, headers: sent, signal });
    } catch (error) {
      throw signal?.aborted ? error : new Unreachable();
    }
    if (response.ok) return response;
    const problem = await readProblem(response);
    if (response.status !== 401 || !(await renewToken(token))) throw problem;
  }
}

/** Send a request and return what `part` reads of the response. */
async function read(path, options, part = (response) => response.json()) {
  const response = await send(path, options);
  try {
    return await part(response);
  } catch (error) {
    throw options?.signal?.aborted ? error : new Unreachable(); // it broke off
  }
}

const post = (path, body, headers) => read(path, { method: "POST", body: JSON.stringify(body), headers });
const keyHeader = (key) => ({ "Idempotency-Key": key });
const of = (name) => `/campaigns/${encodeURIComponent(name)}`;

/** @returns {Promise<{version: string}>} */
export const readHealth = () => read("/health");

/** @returns {Promise<{campaigns: (Campaign|{name: string, error: string})[]}>} */
export const listCampaigns = (signal) => read("/campaigns", { signal });

/** @returns {Promise<Campaign>} */
export const readCampaign = (name, signal) => read(of(name), { signal });

/** @returns {Promise<Plan>} */
export const readPlan = (name, signal) => read(`${of(name)}/plan`, { signal });

/** @returns {Promise<{trials: Trial[]}>} */
export const readTrials = (name, after, signal) => read(`${of(name)}/trials?after=${after}`, { signal });

/** Return the text of a figure; the browser asks by its ETag whether the one it has will do. */
export const readFigure = (name, figure, signal) =>
  read(`${of(name)}/figures/${encodeURIComponent(figure)}`, { signal }, (response) => response.text());

/** @returns {Promise<Blob>} */
export const readCsv = (name) => read(`${of(name)}/trials?format=csv`, {}, (response) => response.blob());

/** Open the stream of events after one of them. */
export const openEvents = (name, after, signal) =>
  send(`${of(name)}/events`, { signal, headers: { "Last-Event-ID": String(after) } });

/** @returns {Promise<Campaign>} */
export const createCampaign = (spec) => post("/campaigns", spec);

/** @returns {Promise<Campaign>} */
export const createFromToml = (text) =>
  read("/campaigns", { method: "POST", body: text, type: "application/toml" });

/** @returns {Promise<Trial>} */
export const ask = (name, key) => post(`${of(name)}/ask`, {}, keyHeader(key));

/** @returns {Promise<Trial>} */
export const attach = (name, x, key) => post(`${of(name)}/attach`, { x }, keyHeader(key));

/** @returns {Promise<Trial>} */
export const tell = (name, id, result) => post(`${of(name)}/trials/${id}/tell`, result);

/** @returns {Promise<Trial>} */
export const fail = (name, id, reason) => post(`${of(name)}/trials/${id}/fail`, { reason });
