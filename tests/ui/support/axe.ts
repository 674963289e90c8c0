import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, ImpactValue } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Something that a rule of axe holds against a page, and how bad that is. */
export interface Violation {
  readonly rule: string
  readonly impact: ImpactValue | undefined
  /** What it is about and what is wrong with it, in one line. */
  readonly text: string
}

/** Brings to its end at once what fades, and all that begins to fade by that: colours on their way are those of no look. */
export async function untilFaded(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const fading = document.getAnimations().filter((one) => one instanceof CSSTransition)
    for (const one of fading) one.finish()
    return fading.length === 0
  })
}

/**
 * Violations of some rules, or of all that are on by default, in what the page shows now. axe is put into the page past its
 * policy; everything else keeps to it, see the other tests.
 */
export async function violationsOf(page: Page, rules?: readonly string[]): Promise<Violation[]> {
  const isThere = await page.evaluate(() => 'axe' in globalThis)
  if (!isThere) await page.evaluate(AXE)
  const { violations } = await page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }
    return axe.run({ resultTypes: ['violations'], selectors: false, ...(only === undefined ? {} : { runOnly: only }) })
  }, rules)
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => ({ rule: id, impact, text: `${id}: ${html} ${failureSummary}` })),
  )
}
