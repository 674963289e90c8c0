import type { Page } from 'playwright-core'

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
