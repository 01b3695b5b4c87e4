/**
 * The working area: one stage of the network at a time with its explanation, formula, shape and
 * tensors, and the working of any cell.
 *
 * `state.stage` is the key of the value that is open (of the trace, between two trace values,
 * or a weight), `state.cell` the index of a cell in it.
 */

import { createBooks } from "./working/book.js";
import { createCard } from "./working/card.js";
import { createEngines } from "./working/engines.js";
import { createHeading } from "./working/heading.js";
import { listenToKeys } from "./working/keys.js";
import { createNavigation } from "./working/navigation.js";
import { createPractice } from "./working/practice.js";
import { createSupply } from "./working/supply.js";
import { createTensors } from "./working/tensors.js";
import { createWorksheet } from "./working/worksheet.js";
import { el, setAttribute, setText } from "./dom.js";
import { viewRequest } from "./viewer.js";

export function createWorking(container, app) {
  const { store, viewer, t } = app;
  const reading = createReading(app, refresh);
  const heading = createHeading(app, (stage) => navigation.go(stage));
  const navigation = createNavigation(store);
  const practice = createPractice(app);
  app.veil.subscribe(refresh);
  const tensors = createTensors(app, (key, cell) =>
    navigation.open(key, cell, practice.hides(key, cell) ? "answer" : "card"),
  );
  const card = createCard(app, {
    operand: navigation.follow,
    back: navigation.back,
    right: practice.solve,
    reveal: practice.reveal,
    fold: reading.fold,
  });
  const engines = createEngines(app, navigation.goTo);
  const worksheet = createWorksheet(app, () => shown);
  const layout = createLayout({ heading, tensors, card, practice, engines, worksheet });
  let shown = null; // {book, context} of what is drawn
  app.workingTop = layout.top; // where a lesson that speaks about the working area may stand
  container.append(layout.element);
  listenToKeys(layout.element, (direction) => {
    const place = reading.here(store.get());
    navigation.go(direction > 0 ? place?.book.next(place.stage) : place?.book.previous(place.stage));
  });

  function refresh() {
    update(store.get(), viewer.view());
  }

  function update(state, view) {
    if (!reading.isOf(state)) return; // a view of this state is on its way
    const place = reading.here(state);
    if (!place) return;
    heading.update(state, place.book, place.stage);
    layout.update(t, view.trace === null);
    if (view.trace) draw(state, view, reading.wanted(state));
  }

  function draw(state, view, { book, stage, cell, supplied }) {
    if (!supplied) return; // what is shown stays until all of the new numbers are there
    const { words } = view.model;
    const context = { book, lang: state.lang, t, window: view.window, words, sizes: book.sizes };
    const { working } = supplied;
    shown = { book, context };
    practice.update(state, book, stage, context);
    worksheet.update();
    tensors.update({ state, stage, context, values: { ...view.trace, ...supplied.values }, working, practice, shifted: supplied.shifted });
    layout.invite(cell === null, t(practice.isOn() ? "working.invitation_practice" : "working.invitation"));
    const isHidden = cell !== null && practice.hides(cell.key, cell.cell);
    card.update(
      working && {
        working,
        context,
        isHidden,
        hides: practice.hides,
        isFolded: reading.isFolded(),
        canGoBack: navigation.canGoBack(),
      },
    );
    engines.update(book, stage, context, isHidden ? null : cell);
    bring(navigation.takeTarget(), cell);
  }

  function bring(target, cell) {
    if (target === "answer") card.focusAnswer();
    if (target === "cell" && cell) tensors.focus(cell.key, cell.cell);
    if (layout.isLesson()) return; // it says itself what to look at
    if (target === "card") card.bringIntoView();
    if (target === "stage") heading.bringIntoView();
  }

  return { update };
}

/** Which stage and cell the state has open, and the numbers they need. */
function createReading(app, onArrival) {
  const { store, viewer } = app;
  const books = createBooks(app, onArrival);
  const supply = createSupply(app, onArrival);
  let folded = true;
  let viewOf = null; // the request whose answer the view is
  viewer.subscribe(() => {
    viewOf = JSON.stringify(viewRequest(store.get()));
  });
  // Asked for together with the view, not after it.
  store.subscribe((state, previous) => {
    if (viewer.concerns(state, previous)) wanted(state);
  });

  function here(state) {
    const book = books.of(state.model);
    return book && { book, stage: book.homeOf(state.stage) ?? book.stages[0] };
  }

  function wanted(state) {
    const place = here(state);
    if (!place || state.tokens.length === 0) return null;
    const sequence = Math.min(state.tokens.length, place.book.sizes.L);
    const isThere = state.cell && place.book.holds(state.stage, state.cell, sequence);
    const cell = isThere ? { key: state.stage, cell: state.cell } : null;
    return { ...place, cell, supplied: supply.get(state, place.stage, cell, folded) };
  }

  return {
    here,
    wanted,
    isOf: (state) => viewOf === JSON.stringify(viewRequest(state)),
    isFolded: () => folded,
    fold(isFolded) {
      folded = isFolded;
      onArrival();
    },
  };
}

function createLayout({ heading, tensors, card, practice, engines, worksheet }) {
  const invitation = el("p", { class: "mg-working-invitation" });
  const margin = el("aside", { class: "mg-working-margin" }, invitation, card.element);
  const body = el("div", { class: "mg-working-body" }, tensors.element, margin);
  const more = el("div", { class: "mg-working-more" }, practice.element, worksheet.element);
  const rest = el("div", { class: "mg-working-rest" }, more, engines.element, heading.onward);
  const empty = el("p", { class: "mg-working-empty" });
  const top = el("div");
  return {
    top,
    isLesson: () => top.querySelector(":scope > :not([hidden])") !== null,
    element: el("div", { class: "mg-working" }, top, heading.element, body, rest, empty),
    update(t, isEmpty) {
      setAttribute(margin, "aria-label", t("working.working"));
      empty.hidden = !isEmpty;
      setText(empty, t("working.empty"));
      body.hidden = rest.hidden = isEmpty;
    },
    invite(isInviting, text) {
      invitation.hidden = !isInviting;
      setText(invitation, text);
    },
  };
}
