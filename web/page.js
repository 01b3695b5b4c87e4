/**
 * The page: puts the parts together and keeps them on one state and one view.
 *
 * A part has `update(state, view)`. It is called when the view of the present sentence has
 * arrived, and after changes of the state that need no new view (language, stage, panel…).
 * With an empty sentence `view.trace`, `view.logits` and `view.probabilities` are null.
 */

import { readAddress } from "./address.js";
import { keepAddress } from "./address_bar.js";
import { createAlert } from "./alert.js";
import { createWorking } from "./working.js";
import { createServer } from "./calls.js";
import { createChanged } from "./changed.js";
import { createDesk } from "./desk.js";
import { createDifferences } from "./differences.js";
import { el } from "./dom.js";
import { createDifference } from "./engine.js";
import { createGenerator } from "./generator.js";
import { createFooter, createHeader } from "./header.js";
import { createHistory } from "./history.js";
import { createLanguage } from "./language.js";
import { markLateness } from "./lateness.js";
import { createMap } from "./map.js";
import { createOwnModels } from "./own_models.js";
import { createPanelTexts } from "./panel_texts.js";
import { createPanels } from "./panels.js";
import { keepScrollRoom } from "./scroll_room.js";
import { createSeen } from "./seen.js";
import { createSentence } from "./sentence.js";
import { skeletonOf } from "./skeleton.js";
import { createStore, DEFAULT_STATE } from "./state.js";
import { withBrowserEngine } from "./static/third_engine.js";
import { createTakeAway } from "./take_away.js";
import { createTour } from "./tour.js";
import { createTranslator } from "./translate.js";
import { createVeil } from "./veil.js";
import { createViewer } from "./viewer.js";
import { createVocabularies } from "./vocabularies.js";
import { createWeightsSwitch } from "./weights_switch.js";
import { createBooks } from "./working/book.js";
import { createWelcome } from "./welcome.js";
import { createWriting } from "./writing.js";

/**
 * @param {HTMLElement} element filled with the page
 * @param {object} given `server`: from server_functions.js; `initial`: from ui/page.py;
 *   `root`: where the app is served; `openApiDocs`: shows the API's description, where there is one
 */
export function mount(element, { server, initial, root, openApiDocs }) {
  const address = readAddress(window.location.search, initial);
  const language = createLanguage(initial);
  const begun = { ...firstState(initial), lang: language.first, ...address.state };
  const app = { ...createApp(server, initial, root, begun), openApiDocs };
  const { store, viewer, alert, t } = app;
  const parts = createParts(element, app);
  const update = () => {
    for (const part of parts) updateAlone(part, store.get(), app.veil.over(viewer.view()));
  };
  const nameLanguage = () => {
    element.lang = document.documentElement.lang = t("language.tag");
    document.title = t("shell.title");
  };
  viewer.subscribe(update);
  app.veil.subscribe(update);
  store.subscribe((state, previous) => {
    if (state.lang !== previous.lang) {
      language.keep(state.lang);
      nameLanguage();
    }
    if (!viewer.concerns(state, previous)) update();
  });
  nameLanguage();
  keepAddress(store, window, language.browsers === DEFAULT_STATE.lang ? [] : ["lang"]);
  markLateness(element, app);
  viewer.start(initial.view, firstState(initial));
  if (!viewer.isCurrent()) showSkeleton(parts, store.get(), initial.view);
  app.differences.start();
  app.tour?.resume();
  if (address.ignored.length) {
    alert.show(t("shell.address_ignored", { keys: address.ignored.join(", ") }));
  }
}

/** The frame and the texts, until the numbers of this state have come. */
function showSkeleton(parts, state, first) {
  for (const part of parts) updateAlone(part, state, skeletonOf(first, state));
}

/** An error in one part is reported and does not affect the others. */
function updateAlone(part, state, view) {
  try {
    part.update(state, view);
  } catch (error) {
    window.reportError(error);
  }
}

/** The state of a first visit; with PyTorch where the server cannot run the ONNX file. */
function firstState({ view }) {
  return { ...DEFAULT_STATE, engine: view.engine };
}

/**
 * What every part gets: `store` (the state), `t` (texts), `server` (calls), `viewer` (the view),
 * `vocabularies` (the words of the models), `books` (the stages of the networks), `writing`, `history`
 * and `generator` (the sentence), `differences` (between the engines), `veil` (what a learner has not worked out yet), `alert` (what went wrong), `initial` and `root` (what the server said at the start).
 */
function createApp(functions, initial, root, state) {
  const store = createStore(state);
  const strings = { ...initial.strings };
  const t = createTranslator(strings, () => store.get().lang, initial.glosses);
  const alert = createAlert(t);
  const app = { store, t, root, initial, alert };
  app.server = createServer(withBrowserEngine(functions, app), app);
  app.panelTexts = createPanelTexts(app.server, initial, strings);
  app.vocabularies = createVocabularies(app);
  app.own = createOwnModels(app);
  app.history = createHistory(app);
  app.viewer = createViewer(app);
  app.viewer.subscribe(app.vocabularies.learn);
  app.books = initial.without_server ? null : createBooks(app);
  app.generator = createGenerator(app);
  app.writing = createWriting(app);
  app.differences = createDifferences(app);
  app.veil = createVeil(app);
  return app;
}

function createParts(element, app) {
  const header = createHeader(app);
  const sentence = createSentence(app);
  app.scrollRoom = keepScrollRoom([sentence.element]);
  app.seen = createSeen(element);
  const desk = createDesk(app);
  const footer = createFooter(app);
  const main = el("main", { class: "mg-main" }, desk.element);
  element.replaceChildren(header.element, sentence.element, main, footer.element);
  const below = () => Math.max(sentence.element.getBoundingClientRect().bottom, app.seen.part().top);
  app.open = () => ({ top: below(), bottom: desk.covered() });
  const map = createMap(desk.map, app, desk.ruler);
  const takeAway = createTakeAway(app);
  const weights = createWeightsSwitch(app);
  map.tools.append(weights.element, takeAway.element);
  const tools = [weights, createDifference(map.tools, app), createChanged(map.tools, app), takeAway];
  const parts = [header, sentence, ...tools, map];
  sentence.buttons.prepend(map.play);
  Object.assign(app, { marks: map.marks, watching: map.watching, lesson: desk.lesson, quietly: desk.quietly });
  // Without a server there are no workings, and no tour that reads them.
  if (!app.initial.without_server) parts.push(createWorking(desk.working, app), ...createGuide(header, desk, app));
  return [...parts, createPanels(header.ways, desk.panels, app), desk, footer];
}

/** The tour and the invitation to it. */
function createGuide(header, desk, app) {
  const tour = createTour(app);
  const welcome = createWelcome(app, tour.press);
  app.tour = tour;
  header.ways.append(tour.button);
  desk.element.append(welcome.element);
  return [tour, welcome];
}
