import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { OptionsError } from './options.ts'

/** Reads the file that an option names. Throws OptionsError that names the option and the file. */
export function readFile(option: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new OptionsError([`${option}: cannot read the file ${path} (${reason})`])
  }
}

/** Reads a PEM file that must contain a certificate. Throws OptionsError otherwise. */
export function readCertificate(option: string, path: string): Buffer {
  const file = readFile(option, path)
  try {
    new X509Certificate(file)
  } catch {
    throw new OptionsError([`${option}: the file ${path} contains no certificate in PEM`])
  }
  return file
}
