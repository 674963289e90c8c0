import { lastSdk } from '../../../connect/sdks.ts'
import { csharpCode, csharpUse } from './csharp.ts'
import { goCode, goUse } from './go.ts'
import { javaCode, javaUse } from './java.ts'
import { pythonCode, pythonUse } from './python.ts'
import type { TypedFlag } from './typed-flag.ts'
import { typescriptCode, typescriptUse } from './typescript.ts'

/** Language of typed code. */
export interface Language {
  /** Id of the SDK for the language, if there is one. */
  readonly id: string
  readonly name: string
  /** Generates the file with names and types. */
  readonly code: (flag: TypedFlag) => string
  /** Generates sample code that uses it with the official SDK. */
  readonly use: (flag: TypedFlag) => string
}

const TYPESCRIPT: Language = { id: 'typescript', name: 'TypeScript', code: typescriptCode, use: typescriptUse }

/** All languages in display order. */
export const LANGUAGES: readonly Language[] = [
  TYPESCRIPT,
  { id: 'java', name: 'Java', code: javaCode, use: javaUse },
  { id: 'go', name: 'Go', code: goCode, use: goUse },
  { id: 'python', name: 'Python', code: pythonCode, use: pythonUse },
  { id: 'dotnet', name: 'C#', code: csharpCode, use: csharpUse },
]

const KEPT = 'burgee-code-language'

/** Returns a language by id. */
export const languageOf = (id: string | null): Language | undefined => LANGUAGES.find((language) => language.id === id)

/** Returns the language last selected in this browser; initially the language of the last SDK. */
export const lastLanguage = (): Language =>
  languageOf(localStorage.getItem(KEPT)) ?? languageOf(lastSdk().id) ?? TYPESCRIPT

/** Stores the selected language. */
export const keepLanguage = ({ id }: Language): void => localStorage.setItem(KEPT, id)
