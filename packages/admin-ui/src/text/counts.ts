import { formatGroupedNumber } from './grouped-number.ts'

const formatCount = (count: number, language: 'en' | 'de'): string =>
  formatGroupedNumber(count, language) ?? String(count)

/** Counted nouns for use in sentences. The German forms for projects and tokens are in the dative. */
export const COUNTS = {
  en: {
    flags: (count: number): string => (count === 1 ? '1 flag' : `${formatCount(count, 'en')} flags`),
    projects: (count: number): string => (count === 1 ? '1 project' : `${formatCount(count, 'en')} projects`),
    tokens: (count: number): string => (count === 1 ? '1 API token' : `${formatCount(count, 'en')} API tokens`),
  },
  de: {
    flags: (count: number): string => (count === 1 ? '1 Flag' : `${formatCount(count, 'de')} Flags`),
    flagsDative: (count: number): string => (count === 1 ? '1 Flag' : `${formatCount(count, 'de')} Flags`),
    projects: (count: number): string => (count === 1 ? '1 Projekt' : `${formatCount(count, 'de')} Projekten`),
    tokens: (count: number): string => (count === 1 ? '1 API-Token' : `${formatCount(count, 'de')} API-Tokens`),
  },
} as const
