import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, extname, join, posix } from 'node:path'

/**
 * Returns the faults of a built site whose pages are served below `base`: links to missing pages, files or anchors,
 * missing images, and anything that a page or stylesheet would fetch from another host.
 */
export function siteFaults(folder, base) {
  const pages = globSync('**/*.html', { cwd: folder }).map((path) => path.replaceAll('\\', '/'))
  const texts = new Map(pages.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
  const anchors = new Map(pages.map((path) => [path, listAnchors(texts.get(path))]))
  const faults = []
  let links = 0
  for (const [page, text] of texts) {
    for (const { tag, address } of listAddresses(text)) {
      links += 1
      const fault = findFault(tag, address, page, { folder, base, anchors })
      if (fault !== undefined) faults.push(`${page}: ${fault}`)
    }
  }
  for (const path of globSync('**/*.css', { cwd: folder })) {
    const [fetched] =
      /(?:url\(\s*["']?|@import\s+["'])(?:https?:)?\/\/[^)"']*/.exec(readFileSync(join(folder, path), 'utf8')) ?? []
    if (fetched !== undefined) faults.push(`${path}: fetches ${fetched}`)
  }
  return { faults: [...new Set(faults)], pages: pages.length, links }
}

function listAddresses(text) {
  return [...text.matchAll(/<(a|img|link|script|source|iframe)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map(
    ([, tag, address]) => ({
      tag,
      address: address.replaceAll('&amp;', '&'),
    }),
  )
}

function listAnchors(text) {
  return new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id))
}

function findFault(tag, address, page, { folder, base, anchors }) {
  if (/^(https?:)?\/\//.test(address)) return tag === 'a' ? undefined : `fetches ${address}`
  if (/^(mailto|data):/.test(address)) return undefined
  const { pathname, hash } = new URL(address, `http://site${base}${page}`)
  if (!pathname.startsWith(base)) return `${address} is outside of ${base}`
  let path = decodeURIComponent(pathname.slice(base.length))
  if (path === '' || path.endsWith('/')) path = posix.join(path, 'index.html')
  if (!existsSync(join(folder, path))) {
    if (extname(path) === '' && existsSync(join(folder, dirname(path), `${posix.basename(path)}.html`)))
      path = `${path}.html`
    else return `${address} is not there`
  }
  const anchor = decodeURIComponent(hash.slice(1))
  if (anchor === '' || tag !== 'a' || anchors.get(path) === undefined || anchors.get(path).has(anchor)) return undefined
  return `${address}: no such anchor`
}
