import { ApiError, BASE_PATH } from '../../api/http.ts'

/** Thrown if the server no longer has the file for a part of the page, even after a reload. */
export class MissingPart extends Error {}

const RESPONSE_TIMEOUT_MS = 5000

/** Addresses of style sheets that failed to load. */
const failedStyleSheets = new Set<HTMLLinkElement>()
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyleSheets.add(target)
  },
  { capture: true },
)

/**
 * Loads a part of the page. If loading fails although the server responds, the server must be running another version.
 * The page is then reloaded once per part; if loading fails again, throws MissingPart. If the server does not respond,
 * throws ApiError with status 0.
 */
export async function loadPart<T>(name: string, load: () => Promise<T>): Promise<T> {
  const mark = `burgee-reloaded ${name}`
  try {
    const part = await tryLoad(load)
    sessionStorage.removeItem(mark)
    return part
  } catch (cause) {
    if (!(await isServerReachable())) throw new ApiError(0, String(cause))
    if (sessionStorage.getItem(mark) === null) {
      sessionStorage.setItem(mark, new Date().toISOString())
      location.reload()
      // The user may decline the reload to keep unsaved input.
      await new Promise((resolve) => setTimeout(resolve, RESPONSE_TIMEOUT_MS))
    }
    throw new MissingPart(name, { cause })
  }
}

/**
 * Loads a part that will probably be needed soon. If this fails, the page is not reloaded. Style sheets that failed are
 * loaded first, because the part would otherwise treat them as loaded.
 */
export async function tryLoad<T>(load: () => Promise<T>): Promise<T> {
  await Promise.all([...failedStyleSheets].map(reloadStyleSheet))
  return load()
}

function reloadStyleSheet(link: HTMLLinkElement): Promise<void> {
  const again = link.cloneNode() as HTMLLinkElement
  failedStyleSheets.delete(link)
  return new Promise((resolve, reject) => {
    again.addEventListener('load', () => resolve())
    again.addEventListener('error', () => reject(new Error(`${again.href} cannot be fetched`)))
    link.replaceWith(again)
  })
}

async function isServerReachable(): Promise<boolean> {
  try {
    const reply = await fetch(`${BASE_PATH}/health`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    })
    return reply.ok
  } catch {
    return false
  }
}
