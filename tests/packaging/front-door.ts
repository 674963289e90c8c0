import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { whereIs } from '../setup/debian.ts'
import { until } from '../support/wait.ts'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Reverse proxy that runs with one of the repository's configuration files. */
export interface FrontDoor {
  stop(): Promise<void>
}

/**
 * Reads a configuration file and replaces machine-specific values: addresses, ports, folders. Throws if a value is not
 * in the file.
 */
export function changed(path: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
      return text.replaceAll(from, to)
    },
    readFileSync(join(ROOT, path), 'utf8'),
  )
}

/** Returns an nginx configuration that contains a single site and stores its files in a folder. */
export function aroundSite(site: string, folder: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const http = ['access_log off;', ...paths, site].join('\n')
  return `pid ${folder}/nginx.pid;\nerror_log stderr warn;\nevents {}\nhttp {\n${http}\n}\n`
}

/**
 * Validates a configuration (`nginx -t`) and starts nginx with it. Rejects with nginx's output if the validation or the
 * start fails.
 */
export async function startNginx(text: string, folder: string): Promise<FrontDoor> {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, text)
  const nginx = whereIs('nginx') ?? 'nginx'
  const args = ['-p', folder, '-e', 'stderr', '-c', file]
  await promisify(execFile)(nginx, [...args, '-t'])
  return running(spawn(nginx, [...args, '-g', 'daemon off;'], { stdio: 'ignore' }), 'SIGQUIT')
}

/** Starts Caddy with a Caddyfile. Caddy stores its data in the given folder. */
export async function startCaddy(text: string, folder: string): Promise<FrontDoor> {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, text)
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const args = ['--config', file, '--adapter', 'caddyfile']
  const caddy = whereIs('caddy') ?? 'caddy'
  await promisify(execFile)(caddy, ['validate', ...args], { env })
  return running(spawn(caddy, ['run', ...args], { env, stdio: 'ignore' }), 'SIGTERM')
}

function running(child: ChildProcess, signal: NodeJS.Signals): FrontDoor {
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  return {
    stop: async () => {
      child.kill(signal)
      setTimeout(() => child.kill('SIGKILL'), 2000).unref()
      await ended
    },
  }
}

/** Creates a self-signed certificate for a name. Returns the paths of the PEM files. */
export async function makeCertificate(folder: string, name: string): Promise<{ certificate: string; key: string }> {
  const [certificate, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')]
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  await promisify(execFile)('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', certificate])
  return { certificate, key }
}

/** Sends a POST of JSON over TLS to a local port, with `name` as the host. */
export function postByTls(
  { port, name, certificate }: { readonly port: number; readonly name: string; readonly certificate: string },
  path: string,
  body: unknown,
): Promise<{ readonly status: number; readonly cookies: readonly string[] }> {
  const authority = `${name}:${port}`
  const headers = { host: authority, origin: `https://${authority}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const options = {
      port,
      host: '127.0.0.1',
      servername: name,
      path,
      method: 'POST',
      headers,
      ca: readFileSync(certificate),
    }
    request(options, (reply) => {
      reply
        .resume()
        .on('end', () => resolve({ status: reply.statusCode ?? 0, cookies: reply.headers['set-cookie'] ?? [] }))
    })
      .on('error', reject)
      .end(JSON.stringify(body))
  })
}

/** Waits until a URL returns 200. */
export async function whenUp(url: string): Promise<void> {
  await until(async () => (await fetch(url)).status === 200)
}
