/**
 * The working area: one stage of the network at a time with its explanation, formula, shape and
 * tensors, and the working of any cell.
 *
 * `state.stage` is the key of the value that is open (of the trace, between two trace values,
 * or a weight; null while nothing is), `state.cell` the index of a cell in it. A value that is
 * opened without a cell gets one, so that there is always a working to read.
 */

import { createCard } from "./working/card.js";
import { createEngines } from "./working/engines.js";
import { createHeading } from "./working/heading.js";
import { listenToKeys } from "./working/keys.js";
import { createNavigation } from "./working/navigation.js";
import { openingCell } from "./working/opening_cell.js";
import { createPractice } from "./working/practice.js";
import { createSupply } from "./working/supply.js";
import { createTensors } from "./working/tensors.js";
import { createWorksheet } from "./working/worksheet.js";
import { el, setText } from "./dom.js";
import { mapScale } from "./map/scale.js";
import { blockOf } from "./map/stages.js";
import { hasBlock, viewRequest } from "./viewer.js";

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
  container.append(layout.element);
  listenToKeys(layout.element, (direction) => {
    const place = reading.here(store.get());
    const after = store.get().stage === null ? place?.book.stages[0] : place?.book.next(place.stage);
    navigation.go(direction > 0 ? after : place?.book.previous(place.stage));
  });

  function refresh() {
    update(store.get(), viewer.view());
  }

  function update(state, view) {
    if (state.stage === null) app.marks.markOperands([]);
    if (!reading.isOf(state) || !hasBlock(view, blockOf(state.stage) ?? view.block)) return; // a view of this state is on its way
    const place = reading.here(state);
    if (!place || state.stage === null) return;
    if (view.trace && !reading.wanted(state).cell) chooseCell(state, view, place.book);
    heading.update(state, place.book, place.stage);
    layout.update(t, view.trace === null);
    if (view.trace) draw(state, view, reading.wanted(state));
  }

  /** After the page's present update, which the choice begins anew. */
  function chooseCell({ stage, tokens }, view, book) {
    const value = book.valueOf(stage) ?? book.valueOf(book.stages[0].key);
    const cell = openingCell(value, book.shapeOf(value, view.window.length), view.trace[value.key]);
    queueMicrotask(() => {
      const now = store.get();
      if (now.stage === stage && now.tokens === tokens) app.quietly(() => store.set({ stage: value.key, cell }));
    });
  }

  function draw(state, view, { book, stage, cell, supplied }) {
    if (!supplied) return; // what is shown stays until all of the new numbers are there
    const { words } = view.model;
    const context = { book, lang: state.lang, t, window: view.window, words, sizes: book.sizes };
    const { working } = supplied;
    shown = { book, context };
    practice.update(state, book, stage, context);
    worksheet.update();
    tensors.update({ state, stage, context, values: Object.create(view.trace, Object.getOwnPropertyDescriptors(supplied.values)), scale: mapScale(view.trace), working, practice, shifted: supplied.shifted });
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
    app.marks.markOperands(isHidden || !working ? [] : operandsOf(working));
    bring(navigation.takeTarget());
  }

  /** What is new begins at its top; the page itself stays where it is. */
  function bring(target) {
    if (target === null) return;
    layout.element.closest(".mg-aside-body")?.scrollTo({ top: 0 });
    if (target === "answer") card.focusAnswer();
    if (target === "cell") card.focusTitle();
  }

  return { update };
}

/** The cells that a working reads, {key, cell}[]. */
function operandsOf(working) {
  return working.lines.flatMap((line) => line.pieces.map(({ ref }) => ref).filter(Boolean));
}

/** Which stage and cell the state has open, and the numbers they need. */
function createReading(app, onArrival) {
  const { store, viewer, books } = app;
  books.subscribe(onArrival);
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
    if (!place || state.stage === null || state.tokens.length === 0) return null;
    const sequence = Math.min(state.tokens.length, place.book.sizes.L);
    const isThere = state.cell && place.book.holds(state.stage, state.cell, sequence);
    const cell = isThere ? { key: state.stage, cell: state.cell } : null;
    // Without a cell one is about to be chosen: nothing is asked for twice.
    return { ...place, cell, supplied: cell && supply.get(state, place.stage, cell, folded) };
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
  const margin = el("div", { class: "mg-working-margin" }, card.element);
  const body = el("div", { class: "mg-working-body" }, margin, tensors.element);
  const more = el("div", { class: "mg-working-more" }, practice.element, worksheet.element);
  const rest = el("div", { class: "mg-working-rest" }, more, engines.element, heading.onward);
  const empty = el("p", { class: "mg-working-empty" });
  return {
    element: el("div", { class: "mg-working" }, heading.element, body, rest, empty),
    update(t, isEmpty) {
      empty.hidden = !isEmpty;
      setText(empty, t("working.empty"));
      body.hidden = rest.hidden = isEmpty;
    },
  };
}
