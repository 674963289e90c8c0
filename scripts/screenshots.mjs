/**
 * Takes screenshots of every screen of the admin UI (light, dark, high-contrast and narrow) into .cache/screenshots for
 * manual review. Arguments restrict the run to the named screens; `--readme` takes the README's screenshots into
 * docs/images instead.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from '../tests/support/browser.ts'
import { furnish, SCREENS, show } from '../tests/ui/support/screens.ts'
import { furnishShop } from '../tests/ui/support/shop.ts'
import { ADMIN, startUi } from '../tests/ui/support/ui-server.ts'
import { shrinkPng } from './shrink-png.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const KINDS = {
  light: { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  tablet: { colorScheme: 'light', viewport: { width: 1024, height: 768 } },
  'tablet-dark': { colorScheme: 'dark', viewport: { width: 1024, height: 768 } },
  contrast: { colorScheme: 'light', contrast: 'more', viewport: { width: 1280, height: 800 } },
  'contrast-dark': { colorScheme: 'dark', contrast: 'more', viewport: { width: 1280, height: 800 } },
  narrow: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  'narrow-dark': { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
}
const FLAG = 'checkout.one-page'
const README = [
  { name: 'flag-list', path: '/projects/default', shows: 'checkout.invoice', height: 900 },
  { name: 'flag', path: `/projects/default/features/${FLAG}`, shows: 'Rollout in three countries', height: 820 },
  {
    name: 'playground',
    path: `/playground?envs=production&userId=42,10&props=country%3DAT%0AappVersion%3D4.3.1&flag=${FLAG}`,
    shows: /bucket \d+/,
    height: 800,
  },
]
const MAX_BYTES = 200_000

const names = process.argv.slice(2)
const isReadme = names.includes('--readme')
const folder = isReadme ? join(root, 'docs', 'images') : join(root, '.cache', 'screenshots')
mkdirSync(folder, { recursive: true })
const ui = await startUi()
const browser = await launchBrowser()
try {
  await (isReadme ? shootReadme() : shootAll())
  console.log(`Screenshots are in ${folder}`)
} finally {
  await browser.close()
  await ui.close()
}

async function shootAll() {
  await furnish(ui)
  const screens = SCREENS.filter(({ name }) => names.length === 0 || names.includes(name))
  for (const [kind, options] of Object.entries(KINDS)) {
    const page = await open(options, (page) => page.screenshot({ path: join(folder, `${kind}-login.png`) }))
    for (const screen of screens) {
      await show(page, ui.url, screen)
      await page.screenshot({ path: join(folder, `${kind}-${screen.name}.png`) })
    }
    await page.context().close()
  }
  writeSheet(screens.map(({ name }) => name))
}

/** Writes a page with all screenshots, with a row for each screen and a column for each mode. */
function writeSheet(screens) {
  const kinds = Object.keys(KINDS)
  const picture = (kind, name) =>
    `<td><a href="${kind}-${name}.png"><img src="${kind}-${name}.png" height="240" alt=""></a></td>`
  const row = (name) => `<tr><th>${name}</th>${kinds.map((kind) => picture(kind, name)).join('')}</tr>`
  const head = `<tr><th></th>${kinds.map((kind) => `<th>${kind}</th>`).join('')}</tr>`
  const page = `<!doctype html><meta charset="utf-8"><title>Screens</title><table>${head}${['login', ...screens].map(row).join('\n')}</table>`
  writeFileSync(join(folder, 'index.html'), page)
}

async function shootReadme() {
  await furnishShop(ui)
  const page = await open({ colorScheme: 'light', viewport: { width: 1400, height: 900 } })
  for (const { height, ...screen } of README) {
    await page.setViewportSize({ width: 1400, height })
    await show(page, ui.url, screen)
    // wait for the project's name, which appears late; no element may have the focus in the picture
    await page.getByRole('combobox', { name: 'Project' }).first().waitFor()
    await page.evaluate(() => document.activeElement?.blur())
    const picture = shrinkPng(await page.screenshot())
    writeFileSync(join(folder, `${screen.name}.png`), picture)
    console.log(`${screen.name}: ${picture.length} bytes`)
    if (picture.length > MAX_BYTES) throw new Error(`The picture ${screen.name} is too large`)
  }
}

/** Opens a page with a logged-in user. */
async function open(options, atLogin = async () => {}) {
  const page = await (await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options })).newPage()
  await page.goto(`${ui.url}/projects/default`)
  await page.getByLabel('Username or e-mail').fill(ADMIN.username)
  await atLogin(page)
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
  return page
}
