import type { Random } from '@burgee/kit/seeded-random'

/**
 * Number of trials above which counts are drawn from the normal distribution, because exact draws would take too long.
 */
const MANY_TRIALS = 1000
/** Expected number of events above which the normal distribution is accurate enough. */
const MANY_EVENTS = 50

/** Draws the number of events in independent trials (binomial distribution). */
export function drawCount(trials: number, probability: number, random: Random): number {
  const [mean, others] = [trials * probability, trials * (1 - probability)]
  if (trials > MANY_TRIALS && Math.min(mean, others) > MANY_EVENTS) {
    const drawn = Math.round(mean + Math.sqrt(mean * (1 - probability)) * drawNormal(random))
    return Math.min(Math.max(drawn, 0), trials)
  }
  return probability > 0.5 ? trials - drawRare(trials, 1 - probability, random) : drawRare(trials, probability, random)
}

/** Draws the number of rare events by drawing how many trials lie between them (geometric distribution). */
function drawRare(trials: number, probability: number, random: Random): number {
  if (probability <= 0) return 0
  const perTrial = Math.log1p(-probability)
  let events = 0
  let trial = Math.floor(Math.log1p(-random()) / perTrial)
  while (trial < trials) {
    events += 1
    trial += 1 + Math.floor(Math.log1p(-random()) / perTrial)
  }
  return events
}

/** Draws from the standard normal distribution (Box–Muller). */
export function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
