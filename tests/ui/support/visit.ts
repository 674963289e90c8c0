import type { Locator, Page } from 'playwright-core'

/**
 * Goes to an address of the UI as a link within it does: what is loaded stays, which is a tenth of the work. Loads it
 * where another site is open. For tests that are not about loading.
 */
export async function visit(page: Page, url: string): Promise<void> {
  const { origin, pathname, search } = new URL(url)
  if (new URL(page.url()).origin !== origin) {
    await page.goto(url)
    return
  }
  await page.evaluate((address) => {
    // messages of before would be taken for those of what comes
    for (const close of document.querySelectorAll<HTMLElement>('.mantine-Notification-closeButton')) close.click()
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  }, `${pathname}${search}`)
  await page.waitForFunction(() => document.querySelector('.mantine-Notification-root') === null)
}

const BETWEEN = '/between/two/screens'
const ABOVE = '[role=menu], [role=listbox], [role=dialog]'

/** Leaves a page of the UI for an address without content. Returns what still lies above the page. */
export async function leave(page: Page, url: string): Promise<Locator> {
  await visit(page, new URL(BETWEEN, url).href)
  const above = page.locator(ABOVE).filter({ visible: true })
  await page.getByText('There is nothing here').or(above).first().waitFor()
  return above
}

/**
 * Goes to an address as `visit` does, so that nothing of the page before is taken for this one: neither what it shows nor
 * what was chosen in it. Loads it where something lies above the page and stays there.
 */
export async function visitAfresh(page: Page, url: string): Promise<void> {
  const above = await leave(page, url)
  if ((await above.count()) > 0) await page.goto(url)
  else await visit(page, url)
}
