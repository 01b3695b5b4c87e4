/** Which step of a training the map shows (watching.js), as the panel's slider has it. */

import { number } from "../../format.js";
import { modelOf } from "../training.js";
import { isActive } from "./session.js";

/** `choose(place)` selects one of the kept steps, `follow()` none: the newest; `update()` draws. */
export function createOffer({ store, t, watching }, session, { choose, follow, update }) {
  let left = null; // the id of the training that the map is no longer to show
  let known = null; // the id of the training whose place the page's model has been looked up in

  const isOf = ({ id }, model) => model.startsWith(`own:${id}-`);

  store.subscribe(({ model }, previous) => {
    const training = session.get();
    if (!training?.kept.length || model === previous.model) return;
    if (isOf(training, model)) update();
    else follow();
  });

  return {
    /** A step was chosen: the map is to show it. */
    enter: () => {
      left = null;
    },
    withdraw: () => watching?.offer(null),
    /**
     * The index of the chosen step. Opened with a model of this training, its step; with other
     * weights chosen for the whole page since, none.
     */
    placeOf(training, chosen) {
      const { model } = store.get();
      if (known === training.id) return chosen;
      known = training.id;
      if (!isOf(training, model)) return chosen;
      const place = training.kept.indexOf(Number(model.split("-").at(-1)));
      return place < 0 || place === training.kept.length - 1 ? chosen : place;
    },
    /** `step` is shown, the `place`-th of those kept; `isChosen`: it is not just the newest. */
    offer(training, { step, place, isChosen }) {
      const isWanted = isActive(training) || isChosen || isOf(training, store.get().model);
      const loss = training.points.findLast(([at]) => at <= step)?.[1];
      watching?.offer({
        model: modelOf(training, step),
        isOnMap: isWanted && left !== training.id,
        text: t("map.watched_step", { step, steps: training.steps, loss: loss === undefined ? "—" : number(loss) }),
        place,
        count: training.kept.length,
        choose,
        leave() {
          left = training.id;
          follow();
        },
      });
    },
  };
}
