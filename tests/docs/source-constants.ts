import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGES = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'packages')

/** Returns the source of a file of a package. */
export const readSource = (file: string): string => readFileSync(join(PACKAGES, file), 'utf8')

/** Reads a constant that is a number or a product of numbers. */
export function readConstant(file: string, constant: string): number {
  const product = new RegExp(`^(?:export )?const ${constant} = ([\\d_ *]+)$`, 'm').exec(readSource(file))?.[1]
  if (product === undefined) throw new Error(`${file} has no number ${constant}`)
  return product.split('*').reduce((result, factor) => result * Number(factor.trim().replaceAll('_', '')), 1)
}
