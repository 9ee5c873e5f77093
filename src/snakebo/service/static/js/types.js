/**
 * The shapes of what the API answers, for readers and editors; see /openapi.json for all of them.
 *
 * @typedef {Object<string, number>} Setting a value for every variable
 *
 * @typedef {Object} Trial
 * @property {number} id
 * @property {Setting} x
 * @property {"outstanding"|"told"|"failed"} state
 * @property {Object<string, number>} values by objective; empty before it is told
 * @property {number} cost of the move to it
 * @property {boolean} attached
 * @property {string|null} reason
 * @property {string} asked_at
 * @property {string|null} done_at
 *
 * @typedef {Object} Variable
 * @property {string} name
 * @property {number} low
 * @property {number} high
 * @property {string} unit
 * @property {boolean} free
 * @property {number|null} step
 *
 * @typedef {Object} Campaign
 * @property {string} name
 * @property {string} method
 * @property {number} seed
 * @property {number} budget
 * @property {number} steps
 * @property {number} steps_left
 * @property {number} told
 * @property {number} failed
 * @property {number} outstanding
 * @property {number} spent
 * @property {number|null} cost_budget
 * @property {number|null} cost_left
 * @property {boolean} finished
 * @property {Trial|null} best
 * @property {{name: string, direction: "maximize"|"minimize"}[]} objectives
 * @property {Variable[]} variables
 * @property {Setting|null} position
 * @property {number} seq of the last event
 * @property {Object<string, any>} spec
 * @property {Trial[]} outstanding_trials
 * @property {Object<string, Trial>} best_by
 * @property {{name: string, title: string, caption: string}[]} figures
 *
 * @typedef {Object} Plan
 * @property {number} seq
 * @property {Setting|null} position
 * @property {{x: Setting, cost: number}[]} points
 * @property {number} cost
 * @property {null|{seq: number, points: {x: Setting}[]}} previous what the plan before still had ahead
 *
 * @typedef {{id: number, event: string, data: {seq: number, at: string, trial: Trial|null}}} Message
 */

export {};
