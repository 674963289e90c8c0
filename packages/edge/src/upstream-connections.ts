import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { OptionsError } from '@burgee/kit/options/options'
import { createDispatcher } from '@burgee/serving/upstream/dispatcher'
import type { buildConnector, Dispatcher } from 'undici'
import type { EdgeOptions } from './options.ts'

const MS_PER_SECOND = 1000

/** Connections to the upstream as the options say. Throws OptionsError for files that cannot be read. */
export function upstreamConnections(options: EdgeOptions): Dispatcher {
  const { upstreamUrl, httpProxy, httpsProxy, allProxy, noProxy, clientKeepaliveTimeout } = options
  return createDispatcher({
    httpProxy,
    httpsProxy,
    allProxy,
    noProxy,
    addresses: [upstreamUrl],
    connect: tlsOf(options),
    agent: { keepAliveTimeout: clientKeepaliveTimeout * MS_PER_SECOND },
  })
}

/** Whom we believe, and what we show. */
function tlsOf(options: EdgeOptions): buildConnector.BuildOptions {
  const { upstreamCertificateFile, pkcs12IdentityFile, pkcs12Passphrase } = options
  const certificate = options.pkcs8ClientCertificateFile ?? options.pemCertFile
  const key = options.pkcs8ClientKeyFile ?? options.pemCertFile
  const isVerified = !options.skipSslVerification && options['httpOptions.rejectUnauthorized']
  return {
    timeout: options.upstreamSocketTimeout * MS_PER_SECOND,
    rejectUnauthorized: isVerified,
    ...given('ca', upstreamCertificateFile, (path) => [
      ...rootCertificates,
      readFile('UPSTREAM_CERTIFICATE_FILE', path),
    ]),
    ...given('cert', certificate, (path) => readFile('PKCS8_CLIENT_CERTIFICATE_FILE or PEM_CERT_FILE', path)),
    ...given('key', key, (path) => readFile('PKCS8_CLIENT_KEY_FILE or PEM_CERT_FILE', path)),
    ...given('pfx', pkcs12IdentityFile, (path) => readFile('PKCS12_IDENTITY_FILE', path)),
    ...given('passphrase', pkcs12Passphrase, (passphrase) => passphrase),
  }
}

function given<T>(name: string, value: string | undefined, read: (value: string) => T): Record<string, T> {
  return value === undefined ? {} : { [name]: read(value) }
}

/** The bytes of a file that an option names. Throws OptionsError, which names both. */
export function readFile(option: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new OptionsError([`${option}: cannot read the file ${path} (${reason})`])
  }
}
