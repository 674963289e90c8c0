import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, ImpactValue } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Violation of an axe rule on a page, and its impact. */
export interface Violation {
  readonly rule: string
  readonly impact: ImpactValue | undefined
  /** Element and problem, on one line. */
  readonly text: string
}

/**
 * Finishes all transitions, including transitions that start as a result, because intermediate colors belong to no
 * theme.
 */
export async function untilFaded(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const fading = document.getAnimations().filter((one) => one instanceof CSSTransition)
    for (const one of fading) one.finish()
    return fading.length === 0
  })
}

/**
 * Returns the violations of some rules, or of all default rules, on the current page. Injects axe although the page's
 * CSP forbids it; other tests check that everything else complies with the CSP.
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
