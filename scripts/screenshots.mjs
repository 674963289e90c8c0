/**
 * Pictures of every screen of the admin UI, light, dark, with high contrast and narrow, into .cache/screenshots; for
 * people to look at. Names of screens as arguments make it only these.
 */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from '../tests/support/browser.ts'
import { furnish, SCREENS } from '../tests/ui/screens.ts'
import { ADMIN, startUi } from '../tests/ui/ui-server.ts'

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), '.cache', 'screenshots')
const KINDS = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  contrast: { colorScheme: 'light', contrast: 'more', viewport: { width: 1280, height: 800 } },
  'contrast-dark': { colorScheme: 'dark', contrast: 'more', viewport: { width: 1280, height: 800 } },
  narrow: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
}

const wanted = process.argv.slice(2)
const screens = SCREENS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))

mkdirSync(folder, { recursive: true })
const ui = await startUi()
const browser = await launchBrowser()
try {
  await furnish(ui)
  for (const [kind, options] of Object.entries(KINDS)) await shoot(kind, options)
  console.log(`Screenshots are in ${folder}`)
} finally {
  await browser.close()
  await ui.close()
}

async function shoot(kind, options) {
  const page = await (await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options })).newPage()
  await page.goto(`${ui.url}/`)
  await page.getByLabel('Username or e-mail').fill(ADMIN.username)
  await page.screenshot({ path: join(folder, `${kind}-login.png`) })
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
  for (const { name, path, shows, open } of screens) {
    await page.goto(`${ui.url}${path}`)
    if (open !== undefined)
      await page
        .getByRole('button', { name: open, exact: open === 'Edit' })
        .first()
        .click()
    await page.getByText(shows).first().waitFor()
    await page.screenshot({ path: join(folder, `${kind}-${name}.png`) })
  }
  await page.context().close()
}
