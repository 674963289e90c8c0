import type { OptionTable } from '@burgee/kit/options/options'
import { flag, inHeader, integer, list, text, textOrEmpty } from '@burgee/kit/options/parsers'

/** Options of CORS. Source: spec "Proxy configuration options". */
export const CORS_OPTIONS = {
  'cors.allowedHeaders': {
    env: ['CORS_ALLOWED_HEADERS'],
    parse: inHeader(list),
    defaultDoc: 'those asked for',
    doc: 'Headers a web page may send.',
  },
  'cors.credentials': { env: ['CORS_CREDENTIALS'], parse: flag, default: false, doc: 'Allow credentials.' },
  'cors.exposedHeaders': {
    env: ['CORS_EXPOSED_HEADERS'],
    parse: inHeader(textOrEmpty),
    default: 'ETag',
    doc: 'Headers a web page may read.',
  },
  'cors.maxAge': {
    env: ['CORS_MAX_AGE'],
    parse: integer(0),
    default: 172_800,
    unit: 's',
    doc: 'How long browsers may keep a preflight answer.',
  },
  'cors.methods': {
    env: ['CORS_METHODS'],
    parse: inHeader(text),
    default: 'GET, POST',
    doc: 'Methods a web page may use.',
  },
  'cors.optionsSuccessStatus': {
    env: ['CORS_OPTIONS_SUCCESS_STATUS'],
    parse: integer(200, 299),
    default: 204,
    doc: 'Status of a passed preflight.',
  },
  'cors.origin': {
    env: ['CORS_ORIGIN'],
    parse: inHeader(list),
    default: ['*'],
    doc: 'Origins that may call, comma-separated, or *.',
  },
  'cors.preflightContinue': {
    env: ['CORS_PREFLIGHT_CONTINUE'],
    parse: flag,
    default: false,
    doc: 'Hand OPTIONS requests on to the routes instead of answering them.',
  },
} as const satisfies OptionTable
