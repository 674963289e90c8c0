import { createPrivateKey } from 'node:crypto'
import { createSecureContext, rootCertificates } from 'node:tls'
import { readCertificate, readFile } from '@burgee/kit/options/option-files'
import { OptionsError } from '@burgee/kit/options/options'
import { createDispatcher } from '@burgee/serving/upstream/dispatcher'
import type { buildConnector, Dispatcher } from 'undici'
import type { EdgeOptions } from './options.ts'

const MS_PER_SECOND = 1000

/** Creates the connections to the upstream. Throws OptionsError if a file cannot be read. */
export function upstreamConnections(options: EdgeOptions): Dispatcher {
  const { upstreamUrl, httpProxy, httpsProxy, allProxy, noProxy, clientKeepaliveTimeout } = options
  return createDispatcher({
    httpProxy,
    httpsProxy,
    allProxy,
    noProxy,
    addresses: [upstreamUrl],
    connect: buildTlsOptions(options),
    agent: { keepAliveTimeout: clientKeepaliveTimeout * MS_PER_SECOND },
  })
}

/** Returns the trusted CA certificates and the client certificate. */
function buildTlsOptions(options: EdgeOptions): buildConnector.BuildOptions {
  const { upstreamCertificateFile, pkcs12IdentityFile, pkcs12Passphrase } = options
  const certificate = options.pkcs8ClientCertificateFile ?? options.pemCertFile
  const key = options.pkcs8ClientKeyFile ?? options.pemCertFile
  const certificateOption = options.pkcs8ClientCertificateFile ? 'PKCS8_CLIENT_CERTIFICATE_FILE' : 'PEM_CERT_FILE'
  const keyOption = options.pkcs8ClientKeyFile ? 'PKCS8_CLIENT_KEY_FILE' : 'PEM_CERT_FILE'
  const isVerified = !options.skipSslVerification && options['httpOptions.rejectUnauthorized']
  return {
    timeout: options.upstreamSocketTimeout * MS_PER_SECOND,
    rejectUnauthorized: isVerified,
    ...readIfSet('ca', upstreamCertificateFile, (path) => [
      ...rootCertificates,
      readCertificate('UPSTREAM_CERTIFICATE_FILE', path),
    ]),
    ...readIfSet('cert', certificate, (path) => readCertificate(certificateOption, path)),
    ...readIfSet('key', key, (path) => readKey(keyOption, path)),
    ...readIfSet('pfx', pkcs12IdentityFile, (path) => readIdentity(path, pkcs12Passphrase)),
    ...readIfSet('passphrase', pkcs12Passphrase, (passphrase) => passphrase),
  }
}

function readIfSet<T>(name: string, value: string | undefined, read: (value: string) => T): Record<string, T> {
  return value === undefined ? {} : { [name]: read(value) }
}

/** Reads a PEM file that must contain a private key without a passphrase. Throws OptionsError otherwise. */
function readKey(option: string, path: string): Buffer {
  const file = readFile(option, path)
  requireUsable(() => createPrivateKey(file), `${option}: the file ${path} contains no PEM private key`)
  return file
}

/** Reads a PKCS#12 file and checks that the passphrase opens it. Throws OptionsError otherwise. */
function readIdentity(path: string, passphrase: string | undefined): Buffer {
  const pfx = readFile('PKCS12_IDENTITY_FILE', path)
  const wrong = `PKCS12_IDENTITY_FILE: the file ${path} cannot be decrypted with PKCS12_PASSPHRASE, or is not a PKCS#12 file`
  requireUsable(() => createSecureContext({ pfx, ...(passphrase === undefined ? {} : { passphrase }) }), wrong)
  return pfx
}

function requireUsable(use: () => unknown, problem: string): void {
  try {
    use()
  } catch {
    throw new OptionsError([problem])
  }
}
