import { lastSdk } from '../../../connect/sdks.ts'
import { csharpCode, csharpUse } from './csharp.ts'
import { goCode, goUse } from './go.ts'
import { javaCode, javaUse } from './java.ts'
import { pythonCode, pythonUse } from './python.ts'
import type { TypedFlag } from './typed-flag.ts'
import { typescriptCode, typescriptUse } from './typescript.ts'

/** A language that typed code is made in. */
export interface Language {
  /** That of the SDK, where there is one for the language. */
  readonly id: string
  readonly name: string
  /** The file with names and types. */
  readonly code: (flag: TypedFlag) => string
  /** The lines that ask with it, by the official SDK. */
  readonly use: (flag: TypedFlag) => string
}

const TYPESCRIPT: Language = { id: 'typescript', name: 'TypeScript', code: typescriptCode, use: typescriptUse }

/** All of them, in the order in which they are offered. */
export const LANGUAGES: readonly Language[] = [
  TYPESCRIPT,
  { id: 'java', name: 'Java', code: javaCode, use: javaUse },
  { id: 'go', name: 'Go', code: goCode, use: goUse },
  { id: 'python', name: 'Python', code: pythonCode, use: pythonUse },
  { id: 'dotnet', name: 'C#', code: csharpCode, use: csharpUse },
]

const KEPT = 'burgee-code-language'

/** A language by its id. */
export const languageOf = (id: string | null): Language | undefined => LANGUAGES.find((language) => language.id === id)

/** The language that was chosen last in this browser; before any was, that of the SDK. */
export const lastLanguage = (): Language =>
  languageOf(localStorage.getItem(KEPT)) ?? languageOf(lastSdk().id) ?? TYPESCRIPT

/** Keeps which language was chosen. */
export const keepLanguage = ({ id }: Language): void => localStorage.setItem(KEPT, id)
