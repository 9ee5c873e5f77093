/** Where the dashboard begins. */

import { readHealth } from "./api.js";
import { startRouter } from "./router.js";
import { showForget } from "./token.js";
import { campaignPage } from "./views/campaign.js";
import { formPage, specPage } from "./views/create.js";
import { listPage } from "./views/list.js";

const main = document.getElementById("main");

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address is the router's
  main.focus();
});

const showVersion = ({ version }) => (document.getElementById("version").textContent = `snakebo ${version}`);
readHealth().then(showVersion, () => {}); // that the service is away shows elsewhere

showForget();
startRouter(main, [
  [/^\/campaign\/(.+)$/, campaignPage],
  [/^\/new$/, formPage],
  [/^\/new\/spec$/, specPage],
  [/^/, listPage],
]);
