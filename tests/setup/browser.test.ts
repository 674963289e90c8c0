import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROWSER_LIMIT_MS, type BrowserSource, launchFirst, listBrowserSources } from '../support/browser.ts'
import { temporaryFolder } from '../support/burgee.ts'

const folder = temporaryFolder()
beforeAll(() => mkdirSync(folder.path, { recursive: true }))
afterAll(() => folder.remove())

const PINNED = 'npm package @sparticuz/chromium'

/** Returns a new file that is not a browser. */
function makeFile(name: string, mode: number): string {
  const path = join(folder.path, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, '#!/bin/sh\nexit 3\n')
  chmodSync(path, mode)
  return path
}

const getSource = (name: string, environment: NodeJS.ProcessEnv = {}): BrowserSource => {
  const found = listBrowserSources(environment).find((source) => source.name === name)
  if (found === undefined) throw new Error(`No source has the name ${name}`)
  return found
}

/** Opens a page with a style, a script and a click, closes the browser, and returns the displayed text. */
async function usePage(browser: Browser): Promise<unknown> {
  try {
    const page = await browser.newPage({ viewport: { width: 390, height: 200 } })
    await page.setContent('<button style="width:50%" onclick="this.textContent = innerWidth">one</button>')
    await page.getByRole('button', { name: 'one' }).click()
    return await page.getByRole('button').textContent()
  } finally {
    await browser.close()
  }
}

describe('the choice of a browser', () => {
  test.each<[string, NodeJS.ProcessEnv, readonly string[]]>([
    ['without an option', {}, [PINNED, `${PINNED} with its own libraries`, 'PATH', 'apt']],
    ['with an empty option', { CHROMIUM_PATH: '' }, [PINNED, `${PINNED} with its own libraries`, 'PATH', 'apt']],
    ['with a named browser', { CHROMIUM_PATH: '/usr/bin/chromium' }, ['CHROMIUM_PATH=/usr/bin/chromium']],
  ])('%s tries the sources in this order', (_, environment, names) => {
    expect(listBrowserSources(environment).map(({ name }) => name)).toEqual(names)
  })

  test('finds the first executable file on the PATH that has a name of Chromium', async () => {
    makeFile('a/chromium', 0o644)
    mkdirSync(join(folder.path, 'b', 'chromium-browser'), { recursive: true })
    const chrome = makeFile('c/google-chrome', 0o755)
    makeFile('d/chromium', 0o755)
    const PATH = ['a', '', 'b', 'missing', 'c', 'd'].map((name) => name && join(folder.path, name)).join(delimiter)
    expect(await getSource('PATH', { PATH }).find()).toEqual({ path: chrome })
    expect(await getSource('PATH', { PATH: join(folder.path, 'a') }).find()).toBeUndefined()
    expect(await getSource('PATH', {}).find()).toBeUndefined()
  })

  test('prefers the pinned browser, and starts it', { timeout: BROWSER_LIMIT_MS }, async () => {
    const found = await getSource(PINNED).find()
    expect(found?.path).toMatch(/\.cache\/chromium-[\d.]+\/chromium$/)
    expect(await usePage(await launchFirst(listBrowserSources({})))).toBe('390')
  })

  test('starts the next source after one that has none and one that fails', { timeout: BROWSER_LIMIT_MS }, async () => {
    const broken = makeFile('broken', 0o755)
    const none = getSource('PATH', { PATH: '' })
    const failing = { name: 'broken', find: async () => ({ path: broken }) }
    expect(await usePage(await launchFirst([none, failing, ...listBrowserSources({})]))).toBe('390')
  })
})

const onPath = await getSource('PATH', { PATH: process.env.PATH }).find()

describe.skipIf(onPath === undefined)('a browser of the system', { timeout: BROWSER_LIMIT_MS }, () => {
  test('starts from the PATH if the pinned browser does not', async () => {
    const failing = { name: PINNED, find: async () => ({ path: makeFile('pinned', 0o755) }) }
    const system = getSource('PATH', { PATH: process.env.PATH })
    expect(await usePage(await launchFirst([failing, system]))).toBe('390')
  })

  test('starts if CHROMIUM_PATH names it, also through a link', async () => {
    const link = join(folder.path, 'link')
    symlinkSync(onPath?.path ?? '', link)
    expect(await usePage(await launchFirst(listBrowserSources({ CHROMIUM_PATH: link })))).toBe('390')
  })
})

describe('an unusable browser', () => {
  const reject = async (CHROMIUM_PATH: string) => launchFirst(listBrowserSources({ CHROMIUM_PATH }))

  test.each<[string, () => string]>([
    ['a missing file', () => join(folder.path, 'missing')],
    ['a file that is not executable', () => makeFile('text', 0o644)],
    ['a folder', () => folder.path],
  ])('in CHROMIUM_PATH, %s, is named, and no other browser is tried', async (_, make) => {
    const path = make()
    await expect(reject(path)).rejects.toThrow(
      `No Chromium starts here; set CHROMIUM_PATH to one that does. Tried:\n  CHROMIUM_PATH=${path}: is not an executable file`,
    )
  })

  test('names a browser that exits, with its exit code', async () => {
    const path = makeFile('exits', 0o755)
    await expect(reject(path)).rejects.toThrow(`CHROMIUM_PATH=${path}: `)
    await expect(reject(path)).rejects.toThrow('exitCode=3')
  })

  test('lists each source if no browser starts', async () => {
    const path = makeFile('exits', 0o755)
    const sources = [getSource('PATH', { PATH: '' }), { name: 'broken', find: async () => ({ path }) }]
    await expect(launchFirst(sources)).rejects.toThrow(/Tried:\n {2}PATH: none\n {2}broken: /)
  })
})
