import { ApiError, BASE_PATH } from '../../api/http.ts'

/** A part of the page that its server does not have any more; the page was loaded anew for it, in vain. */
export class MissingPart extends Error {}

const PATIENCE_MS = 5000

/** Styles that did not come. */
const broken = new Set<HTMLLinkElement>()
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') broken.add(target)
  },
  { capture: true },
)

/**
 * Loads a part of the page. Where that fails and the server answers, the server has another version by now, and the page
 * is loaded anew, once for each part; after that MissingPart. Where the server does not answer: ApiError of status 0.
 */
export async function loadPart<T>(name: string, load: () => Promise<T>): Promise<T> {
  const mark = `burgee-reloaded ${name}`
  try {
    const part = await attempt(load)
    sessionStorage.removeItem(mark)
    return part
  } catch (cause) {
    if (!(await isServerThere())) throw new ApiError(0, String(cause))
    if (sessionStorage.getItem(mark) === null) {
      sessionStorage.setItem(mark, new Date().toISOString())
      location.reload()
      // the person may want to stay, for what is not saved
      await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
    }
    throw new MissingPart(name, { cause })
  }
}

/**
 * Loads a part, and does nothing else where that fails: for what may be wanted soon. Styles that did not come before are
 * loaded first: the part itself would take them for loaded, and go on without.
 */
export async function attempt<T>(load: () => Promise<T>): Promise<T> {
  await Promise.all([...broken].map(mend))
  return load()
}

function mend(link: HTMLLinkElement): Promise<void> {
  const again = link.cloneNode() as HTMLLinkElement
  broken.delete(link)
  return new Promise((resolve, reject) => {
    again.addEventListener('load', () => resolve())
    again.addEventListener('error', () => reject(new Error(`${again.href} does not come`)))
    link.replaceWith(again)
  })
}

async function isServerThere(): Promise<boolean> {
  try {
    const reply = await fetch(`${BASE_PATH}/health`, { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) })
    return reply.ok
  } catch {
    return false
  }
}
