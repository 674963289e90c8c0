import { readLastSdk } from '../../../connect/sdks.ts'
import { generateCsharp, generateCsharpUsage } from './csharp.ts'
import { generateGo, generateGoUsage } from './go.ts'
import { generateJava, generateJavaUsage } from './java.ts'
import { generatePython, generatePythonUsage } from './python.ts'
import type { TypedFlag } from './typed-flag.ts'
import { generateTypescript, generateTypescriptUsage } from './typescript.ts'

/** Language for which typed code can be generated. */
export interface CodeLanguage {
  /** Id of the SDK for this language, if there is one. */
  readonly id: string
  readonly name: string
  /** Generates the file that contains the names and types. */
  readonly code: (flag: TypedFlag) => string
  /** Generates sample code that uses the generated file with the official SDK. */
  readonly use: (flag: TypedFlag) => string
}

const TYPESCRIPT: CodeLanguage = {
  id: 'typescript',
  name: 'TypeScript',
  code: generateTypescript,
  use: generateTypescriptUsage,
}

/** All languages in display order. */
export const CODE_LANGUAGES: readonly CodeLanguage[] = [
  TYPESCRIPT,
  { id: 'java', name: 'Java', code: generateJava, use: generateJavaUsage },
  { id: 'go', name: 'Go', code: generateGo, use: generateGoUsage },
  { id: 'python', name: 'Python', code: generatePython, use: generatePythonUsage },
  { id: 'dotnet', name: 'C#', code: generateCsharp, use: generateCsharpUsage },
]

const STORAGE_KEY = 'burgee-code-language'

/** Returns a language by id. */
export const findCodeLanguage = (id: string | null): CodeLanguage | undefined =>
  CODE_LANGUAGES.find((language) => language.id === id)

/** Returns the language that was last selected in this browser; initially the language of the last selected SDK. */
export const readLastCodeLanguage = (): CodeLanguage =>
  findCodeLanguage(localStorage.getItem(STORAGE_KEY)) ?? findCodeLanguage(readLastSdk().id) ?? TYPESCRIPT

/** Stores the selected language. */
export const storeCodeLanguage = ({ id }: CodeLanguage): void => localStorage.setItem(STORAGE_KEY, id)
