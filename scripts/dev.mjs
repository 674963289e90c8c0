/**
 * `npm run dev`: runs server and proxy from their sources, on the embedded database below .cache/dev, and restarts them
 * when a source changes. Vite serves the admin UI and updates the open page. Arguments are passed to `burgee start`;
 * INSPECT=1 enables the debugger of the server.
 */
import { spawn } from 'node:child_process'
import { existsSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const SOURCES = ['protocol', 'engine', 'kit', 'serving', 'proxy', 'server']
  .map((name) => join(root, 'packages', name, 'src'))
  .concat(join(root, 'bin', 'src'))
  .filter(existsSync)
/**
 * Debounce delay in milliseconds, because an editor writes a file in several steps, and switching branches changes many
 * files.
 */
const SETTLE_MS = 150
const CLOSE_LIMIT_MS = 5000

const port = process.env.HTTP_PORT ?? process.env.PORT ?? '4242'
// no shutdown delay, because the server restarts after each change
const env = {
  SHUTDOWN_DELAY: '0',
  ...process.env,
  HTTP_PORT: port,
  DATA_DIR: process.env.DATA_DIR ?? join(root, '.cache', 'dev'),
}
const inspect = process.env.INSPECT === undefined ? [] : ['--inspect']
const run = `process.exitCode = await (await import('./bin/src/command.ts')).runCommand(process.argv.slice(1))`
const command = [...inspect, '--conditions=source', '--input-type=module', '--eval', run, '--', 'start']

let server = startServer()
let isEnding = false
let timer

function startServer() {
  const child = spawn(process.execPath, [...command, ...process.argv.slice(2)], { cwd: root, env, stdio: 'inherit' })
  child.on('exit', (code) => {
    if (code !== 0 && code !== null) console.error('The server has ended; it starts again at the next change.')
  })
  return child
}

/** Stops the server and resolves once its port is free. */
function stopServer() {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve()
  const limit = setTimeout(() => server.kill('SIGKILL'), CLOSE_LIMIT_MS)
  return new Promise((resolve) => {
    server.once('exit', () => {
      clearTimeout(limit)
      resolve()
    })
    server.kill('SIGTERM')
  })
}

async function restart(path) {
  console.log(`${path} has changed: the server starts again`)
  await stopServer()
  if (!isEnding) server = startServer()
}

let restarting = Promise.resolve()
const watchers = SOURCES.map((folder) =>
  watch(folder, { recursive: true }, (_, name) => {
    if (name === null || !name.endsWith('.ts') || name.endsWith('.test.ts')) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      restarting = restarting.then(() => restart(name))
    }, SETTLE_MS)
  }),
)

const vite = await createServer({
  root: join(root, 'packages', 'admin-ui'),
  configFile: join(root, 'packages', 'admin-ui', 'vite.config.ts'),
  server: {
    proxy: Object.fromEntries(
      ['/api', '/auth', '/logout', '/health'].map((path) => [path, `http://localhost:${port}`]),
    ),
  },
})
await vite.listen()
console.log('\nThe admin UI, with what you change put in at once:')
vite.printUrls()

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end())

async function end() {
  if (isEnding) return
  isEnding = true
  clearTimeout(timer)
  for (const watcher of watchers) watcher.close()
  await Promise.all([vite.close(), restarting.then(stopServer)])
  process.exit()
}
