/**
 * What the panel shows while nobody has chosen how to sample: the distribution at temperature 1.
 * The setting itself is still argmax, and appending follows the setting.
 */

export const TEMPERATURE_ONE = { mode: "sample", temperature: 1, top_k: 0, top_p: 1 };

/** Once a person has chosen, in the panel or elsewhere, the panel shows the settings themselves. */
export function createOpening() {
  let hasChosen = false;
  return {
    choose() {
      hasChosen = true;
    },
    /** The sampling settings to show for the state's. */
    shown(sampling) {
      hasChosen ||= sampling.mode !== "argmax";
      return hasChosen ? sampling : { ...sampling, ...TEMPERATURE_ONE };
    },
  };
}
