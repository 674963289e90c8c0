import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SILENT } from '@burgee/kit/log/logger'
import { createApp, type ProxyApp } from '@burgee/proxy'
import type { ProxyConfig } from '@burgee/proxy/options'
import { build } from 'vite'
import { documentedSnippets } from '../docs/documented-snippets.ts'
import { KEY } from '../support/proxy.ts'
import { until } from '../support/wait.ts'

/** Pages below web-pages/. Pages whose names begin with `documented-` show a snippet of docs/sdks. */
export type PageName = 'plain' | 'react' | 'vue' | 'openfeature' | 'openfeature-react' | DocumentedPage
export type DocumentedPage = `documented-${'react' | 'vue' | 'svelte' | 'next'}`

/** Web site with pages that use SDKs, with an origin of its own. */
export interface WebSite {
  readonly origin: string
  /** Returns the URL of a page whose SDK gets this configuration. */
  page(name: PageName, config: object): string
  /** Returns the URL of a page with a documented snippet, with its placeholders filled in. */
  documented(name: DocumentedPage, putIn: { readonly url: string; readonly key: string }): string
  close(): Promise<void>
}

/** Request that the proxy received, and its reply. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly status: number
}

/** Proxy on an HTTP server that records every exchange. */
export interface WatchedProxy {
  readonly url: string
  readonly app: ProxyApp
  readonly exchanges: Exchange[]
  close(): Promise<void>
}

/** Pages that show a snippet of docs/sdks. */
export const DOCUMENTED: readonly DocumentedPage[] = [
  'documented-react',
  'documented-vue',
  'documented-svelte',
  'documented-next',
]
const PAGES: readonly PageName[] = ['plain', 'react', 'vue', ...DOCUMENTED]
/** Variables of Next.js, as its build inlines them into a page. */
const NEXT = {
  'process.env.NEXT_PUBLIC_UNLEASH_FRONTEND_API_URL': 'globalThis.putIn.url',
  'process.env.NEXT_PUBLIC_UNLEASH_FRONTEND_API_TOKEN': 'globalThis.putIn.key',
}
const OPENFEATURE_PAGES: readonly PageName[] = ['openfeature', 'openfeature-react']

const PUT_IN =
  '<script>globalThis.putIn = Object.fromEntries(new URLSearchParams(location.search)); globalThis.process = { env: {} }</script>'

/** Starts the site with the pages of OpenFeature's SDKs. */
export function startOpenFeatureSite(): Promise<WebSite> {
  return startSite(OPENFEATURE_PAGES)
}

/** Bundles the pages in memory and serves them. */
export async function startSite(pages: readonly PageName[] = PAGES): Promise<WebSite> {
  const files = await bundlePages(pages)
  const server = createServer((request, response) => {
    const name = (request.url ?? '').split('?', 1)[0]?.slice(1) ?? ''
    const script = files.get(name)
    if (script !== undefined) return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    const page = pages.find((one) => one === name)
    if (page === undefined) return void response.writeHead(200, { 'content-type': 'text/html' }).end()
    const html = `<!doctype html><title>${page}</title><div id="root"></div>${PUT_IN}<script type="module" src="/${page}.js"></script>`
    response.writeHead(200, { 'content-type': 'text/html' }).end(html)
  })
  const origin = await listen(server)
  return {
    origin,
    page: (name, config) => `${origin}/${name}?config=${encodeURIComponent(JSON.stringify(config))}`,
    documented: (name, putIn) => `${origin}/${name}?${new URLSearchParams(putIn)}`,
    close: () => stop(server),
  }
}

async function bundlePages(pages: readonly PageName[]): Promise<Map<string, string>> {
  const folder = join(dirname(fileURLToPath(import.meta.url)), 'web-pages')
  const built = await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    plugins: [documentedSnippets(folder)],
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: {
      ...NEXT,
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      rollupOptions: {
        input: Object.fromEntries(pages.map((page) => [page, join(folder, `${page}.ts`)])),
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
      },
    },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []))
  return new Map(outputs.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one.code] as const] : [])))
}

/** Starts a proxy whose upstream is `flagUrl`, and waits for its first sync unless `ready` is false. */
export async function startWatchedProxy(config: ProxyConfig, { ready = true } = {}): Promise<WatchedProxy> {
  // an earlier run on the same port may have left a backup behind
  const own = { flagApiToken: 'upstream-token', clientKeys: [KEY], logger: SILENT, refreshInterval: 20, backup: false }
  const given = { ...own, ...config }
  const app = await createApp(given, { env: {} })
  const exchanges: Exchange[] = []
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request
    response.on('finish', () => exchanges.push({ method, path, headers, status: response.statusCode }))
    app.handler(request, response)
  })
  const origin = await listen(server)
  if (ready) await until(() => app.isReady())
  return {
    url: `${origin}/proxy`,
    app,
    exchanges,
    close: async () => {
      await app.close()
      await stop(server)
    },
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
