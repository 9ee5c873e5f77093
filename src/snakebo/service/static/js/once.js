/** Work that many things call for: done once at a time, and once more if something came up meanwhile. */

/** Wait, or until the signal says stop. */
export function sleep(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/**
 * Return a function that has `work` done a little later, so that what comes together is done together.
 * @param {() => Promise<void>} work
 * @param {number} pause in milliseconds before each run
 * @returns {() => Promise<void>} resolves when nothing is left to do
 */
export function once(work, pause) {
  let running = null;
  let again = false;
  const run = async () => {
    try {
      do {
        await sleep(pause);
        again = false;
        await work();
      } while (again);
    } finally {
      running = null;
    }
  };
  return () => {
    again = true;
    running ??= run();
    return running;
  };
}
