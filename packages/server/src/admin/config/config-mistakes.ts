import type { ConfigMistake } from '@burgee/protocol/administration/config-plan'
import { Problem } from '@burgee/protocol/problem'

/** Maximum number of mistakes in one error. */
const MAX_MISTAKES = 50

/** Keys and indexes that lead to a property of a file. */
export type PropertyPath = readonly (string | number)[]

/** Place in files that a mistake can name. */
export interface MistakePlace {
  readonly path: string
  /** Returns the line of a property, from 1. */
  readonly getLine: (property: PropertyPath) => number
}

/** Collects mistakes in files, so that one error reports many of them. */
export class ConfigMistakes {
  readonly #found: ConfigMistake[] = []

  /** Adds a mistake. Ignores mistakes above the maximum. */
  add(place: MistakePlace, property: PropertyPath, message: string): void {
    if (this.#found.length >= MAX_MISTAKES) return
    this.#found.push({ file: place.path, line: place.getLine(property), property: property.join('.'), message })
  }

  /** Runs a check and adds its ValidationError as a mistake. Returns undefined if the check failed. */
  collect<T>(place: MistakePlace, property: PropertyPath, check: () => T): T | undefined {
    try {
      return check()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const [detail] = error.details ?? []
      const inner = detail?.path?.split('/').slice(1) ?? []
      this.add(place, [...property, ...inner.map(toKey)], detail?.message ?? error.message)
      return undefined
    }
  }

  /** True if there are as many mistakes as an error can report. */
  get isFull(): boolean {
    return this.#found.length >= MAX_MISTAKES
  }

  /** Throws ValidationError if there are mistakes. */
  require(): void {
    if (this.#found.length === 0) return
    const details = this.#found.map((mistake) => ({ message: formatMistake(mistake), path: mistake.file }))
    const message = `The files are not valid: ${details.map((one) => one.message).join('; ')}`
    throw new Problem('ValidationError', message, { details, extra: { mistakes: this.#found } })
  }
}

const toKey = (part: string): string | number => (/^\d+$/.test(part) ? Number(part) : part)

function formatMistake({ file, line, property, message }: ConfigMistake): string {
  return `${file}:${line}: ${property === '' ? '' : `${property}: `}${message}`
}
