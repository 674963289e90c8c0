import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Self-signed certificate with its key, and the file that contains the certificate. */
export interface Certificate {
  readonly certFile: string
  readonly key: Buffer
  readonly cert: Buffer
}

/** Creates a certificate for `names`, such as `DNS:localhost,IP:127.0.0.1`, in a folder. */
export function createCertificate(folder: string, names: string, file = 'mail'): Certificate {
  const [keyFile, certFile] = [join(folder, `${file}-key.pem`), join(folder, `${file}-cert.pem`)]
  const subject = ['-subj', '/CN=mail', '-addext', `subjectAltName=${names}`]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const command = ['req', '-x509', ...curve, '-days', '1', '-keyout', keyFile, '-out', certFile, ...subject]
  execFileSync('openssl', command, { stdio: 'ignore' })
  return { certFile, key: readFileSync(keyFile), cert: readFileSync(certFile) }
}
