import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { type LocalSite, startPage, startRecorder } from '../support/recorder.ts'
import { until } from '../support/wait.ts'
import { flip, logInByForm, openPage, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from './support/ui-server.ts'

/**
 * Requests from other origins against a logged-in user, in a real browser; also over plain HTTP, where the browser
 * sends no `Sec-Fetch-Site`. All of these names resolve to this machine, but the browser treats them as separate hosts.
 */
const HOST = 'flags.company.test'
const ON = `${FLAGS}/checkout/environments/production/on`

let ui: UiServer
let front: Awaited<ReturnType<typeof startRecorder>>
let site: LocalSite
let browser: Browser

withBrowser(
  startUi,
  (...started) => {
    ;[browser, ui] = started
  },
  ['--host-resolver-rules=MAP *.test 127.0.0.1'],
)
beforeAll(async () => {
  ;[front, site] = await Promise.all([startRecorder(ui.url), startPage('<!doctype html><title>Another page</title>')])
  await ui.call('POST', FLAGS, { name: 'checkout' })
})
afterAll(async () => {
  await front?.close()
  await site?.close()
})

const urlOf = (host: string) => `http://${host}:${front.port}`
const isOn = async () => {
  const { environments } = await ui.call<AdminFeature>('GET', `${FLAGS}/checkout`)
  return environments.find(({ name }) => name === 'production')?.enabled
}

/** Runs `act`, and returns the first request that the browser sends to enable the flag, and the reply. */
async function sentBy(act: () => Promise<unknown>) {
  front.seen.length = 0
  await act()
  const sent = await until(async () => front.seen.find(({ path, method }) => path === ON && method === 'POST'))
  const { cookie, origin, 'sec-fetch-site': from } = sent.headers
  return { hasCookie: cookie?.includes('burgee-session=') === true, from, origin, status: sent.status }
}

/** Makes a page at a URL send a request for the flag. */
async function askFrom(page: Page, url: string, act: (target: string) => unknown, target: string) {
  await page.goto(url)
  return sentBy(() => page.evaluate(act, target))
}

/** Ways in which a page can send a request without a preflight. Each function runs in the page. */
const WAYS = {
  fetch: (url: string) => void fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include' }).catch(() => {}),
  'fetch of a text': (url: string) =>
    void fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body: 'text' }).catch(() => {}),
  'fetch that hides its page': (url: string) => {
    const hidden = { mode: 'no-cors', credentials: 'include', referrerPolicy: 'no-referrer' } as const
    void fetch(url, { method: 'POST', ...hidden }).catch(() => {})
  },
  'a beacon': (url: string) => void navigator.sendBeacon(url),
  'a form': (url: string) => {
    const form = Object.assign(document.createElement('form'), { method: 'post', action: url })
    document.body.append(form)
    form.submit()
  },
  'a form of text that hides its page': (url: string) => {
    const policy = Object.assign(document.createElement('meta'), { name: 'referrer', content: 'no-referrer' })
    const form = Object.assign(document.createElement('form'), { method: 'post', action: url, enctype: 'text/plain' })
    document.head.append(policy)
    document.body.append(form)
    form.submit()
  },
  'a form in a frame without an origin': (url: string) => {
    const frame = document.createElement('iframe')
    frame.setAttribute('sandbox', 'allow-forms allow-scripts')
    frame.srcdoc = `<form method=post enctype="multipart/form-data" action="${url}"></form><script>document.forms[0].submit()</script>`
    document.body.append(frame)
  },
} as const
type Way = keyof typeof WAYS
/** A page without an origin belongs to no site, so the browser does not send the cookie. */
const WITHOUT_COOKIE: ReadonlySet<Way> = new Set(['a form in a frame without an origin'])
/** Ways to send a request by navigating the page itself. */
const LEAVES: ReadonlySet<Way> = new Set(['a form', 'a form of text that hides its page'])
const WITHOUT_ORIGIN = /form.*(hides|without)/

describe('over plain HTTP, with the session of an operator', () => {
  let own: Page
  let other: Page

  beforeAll(async () => {
    ;({ page: own } = await openPage(browser))
    await logInByForm(own, urlOf(HOST), ADMIN)
    other = await own.context().newPage()
  })
  afterAll(() => own.context().close())

  const places = [
    ['a neighbouring host', () => `http://blog.company.test:${site.port}`],
    ['a neighbouring port', () => `http://${HOST}:${site.port}`],
  ] as const
  const ways = Object.keys(WAYS) as Way[]

  test.each(places.flatMap(([place, url]) => ways.map((way) => ({ place, url, way }))))(
    '$way on $place changes nothing',
    async ({ url, way }) => {
      const sent = await askFrom(other, url(), WAYS[way], `${urlOf(HOST)}${ON}`)
      const hasCookie = !WITHOUT_COOKIE.has(way)
      const origin = WITHOUT_ORIGIN.test(way) ? 'null' : url()
      expect(sent).toEqual({ hasCookie, from: undefined, origin, status: hasCookie ? 403 : 401 })
      expect(await isOn()).toBe(false)
      if (LEAVES.has(way)) await other.waitForURL(`${urlOf(HOST)}${ON}`)
    },
  )

  test('a page of another site does not even bring the cookie', async () => {
    const url = `http://elsewhere.test:${site.port}`
    const sent = await askFrom(other, url, WAYS.fetch, `${urlOf(HOST)}${ON}`)
    expect(sent).toEqual({ hasCookie: false, from: undefined, origin: url, status: 401 })
    expect(await isOn()).toBe(false)
  })

  test('the own page switches the flag on, and logs out', async () => {
    await own.goto(`${urlOf(HOST)}/projects/default/features/checkout`)
    await flip(own.getByRole('switch', { name: 'checkout in production' }))
    const yes = own.getByRole('dialog').getByRole('button', { name: 'Turn on' })
    const sent = await sentBy(() => yes.click())
    expect(sent).toEqual({ hasCookie: true, from: undefined, origin: urlOf(HOST), status: 200 })
    await told(own, 'checkout is on in production')
    expect(await isOn()).toBe(true)
    await own.getByRole('button', { name: /Account/ }).click()
    await own.getByRole('menuitem', { name: 'Log out' }).click()
    await own.getByRole('button', { name: 'Log in' }).waitFor()
  })
})

test('the site header of the browser decides, where it sends one', async () => {
  const { page, complaints } = await openPage(browser)
  const call = `${FLAGS}/checkout/environments/production`
  await ui.call('POST', `${call}/off`)
  await logInByForm(page, urlOf('localhost'), ADMIN)
  const url = `http://localhost:${site.port}`
  const other = await page.context().newPage()
  const sent = await askFrom(other, url, WAYS.fetch, `${urlOf('localhost')}${ON}`)
  expect(sent).toEqual({ hasCookie: true, from: 'same-site', origin: url, status: 403 })
  expect(await isOn()).toBe(false)
  expect(complaints).toEqual([])
  await page.context().close()
})
