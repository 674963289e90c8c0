/**
 * Takes a picture of every screen of the admin UI at four widths, in light, dark and high-contrast mode, and tiles the
 * pictures into contact sheets for manual review. Prints the names of screens that scroll sideways. Takes minutes, so
 * it is not part of the tests.
 *
 * Usage: node scripts/contact-sheets.mjs [--folder <folder>] [--kinds 390-light,1440-dark] [--language de] [screen …]
 *
 * In German, the script skips screens that are opened with a button, because it finds buttons by their English names.
 */
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { launchBrowser } from '../tests/support/browser.ts'
import { furnish, SCREENS, show } from '../tests/ui/support/screens.ts'
import { ADMIN, startUi } from '../tests/ui/support/ui-server.ts'

const HEIGHTS = { 390: 844, 768: 1024, 1440: 900, 1920: 1080 }
const KINDS = [
  ...Object.keys(HEIGHTS).flatMap((width) => ['light', 'dark'].map((scheme) => ({ width: Number(width), scheme }))),
  { width: 1440, scheme: 'contrast' },
]
/** Width of a tile, number of tiles in a row, and number of tiles on a sheet. */
const TILE = { 390: [300, 6, 12], 768: [400, 4, 8], 1440: [640, 3, 9], 1920: [640, 3, 9] }
/** Time to wait for panels and menus to reach their final position. */
const SETTLE_MS = 150
/** Time to wait for a screen to load if the script does not know its text. */
const LOAD_MS = 1000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { folder: { type: 'string' }, kinds: { type: 'string' }, language: { type: 'string', default: 'en' } },
})
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'contact-sheets-'))
const getShotPath = (kind, name) => join(folder, 'shots', `${nameKind(kind)}-${name}.jpg`)
const nameKind = ({ width, scheme }) => `${width}-${scheme}`
const kinds = KINDS.filter((kind) => values.kinds?.split(',').includes(nameKind(kind)) ?? true)
const isEnglish = values.language === 'en'
const screens = SCREENS.filter(({ name }) => positionals.length === 0 || positionals.includes(name)).filter(
  ({ open }) => isEnglish || open === undefined,
)

mkdirSync(join(folder, 'shots'), { recursive: true })
const ui = await startUi()
const browser = await launchBrowser()
try {
  await furnish(ui)
  await shootScreens(await openPage(await logIn()))
  for (const kind of kinds) await tile(kind)
  console.log(`Contact sheets are in ${folder}`)
} finally {
  await browser.close()
  await ui.close()
}

/** Loads each screen once, and takes its picture in every mode and width. */
async function shootScreens(page) {
  for (const screen of screens) {
    await page.setViewportSize({ width: 1440, height: HEIGHTS[1440] })
    try {
      await (isEnglish ? show(page, ui.url, screen) : showTranslated(page, screen))
    } catch (error) {
      console.log(`${screen.name}: not complete: ${String(error).split('\n')[0]}`)
    }
    for (const kind of kinds) {
      await shoot(page, screen, kind)
    }
  }
}

/** Opens a screen whose text the script does not know. */
async function showTranslated(page, { path }) {
  await page.goto(`${ui.url}${path}`)
  await page.waitForTimeout(LOAD_MS)
}

async function shoot(page, { name }, kind) {
  const { width, scheme } = kind
  await page.setViewportSize({ width, height: HEIGHTS[width] })
  const isContrast = scheme === 'contrast'
  await page.emulateMedia({ colorScheme: scheme === 'dark' ? 'dark' : 'light', contrast: isContrast ? 'more' : null })
  await page.waitForTimeout(SETTLE_MS)
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (excess > 0) console.log(`${name} at ${nameKind(kind)}: scrolls sideways by ${excess} px`)
  await page.screenshot({ path: getShotPath(kind, name), type: 'jpeg', quality: 80 })
}

/** Writes the contact sheets for one mode and width. */
async function tile(kind) {
  const [width, columns, count] = TILE[kind.width]
  const page = await browser.newPage({ viewport: { width: columns * (width + 8) + 8, height: 600 } })
  for (let first = 0; first < screens.length; first += count) {
    const figures = screens.slice(first, first + count).map(({ name }) => {
      const data = readFileSync(getShotPath(kind, name)).toString('base64')
      return `<figure><figcaption>${name}</figcaption><img src="data:image/jpeg;base64,${data}" width="${width}"></figure>`
    })
    const style = `body{margin:4px;background:#888;font:14px sans-serif;display:flex;flex-wrap:wrap}figure{margin:4px}`
    await page.setContent(`<style>${style}</style>${figures.join('')}`)
    await page.screenshot({ path: join(folder, `${nameKind(kind)}-${first / count + 1}.png`), fullPage: true })
  }
  await page.close()
}

/** Returns the cookies of a logged-in user. */
async function logIn() {
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(`${ui.url}/projects/default`)
  await page.getByLabel('Username or e-mail').fill(ADMIN.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
  const { cookies } = await context.storageState()
  await context.close()
  return cookies
}

async function openPage(cookies) {
  const locale = isEnglish ? 'en-US' : values.language
  const storageState = { cookies, origins: [] }
  const context = await browser.newContext({ locale, reducedMotion: 'reduce', storageState })
  return context.newPage()
}
