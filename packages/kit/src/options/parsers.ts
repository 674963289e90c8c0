/**
 * Parser of an option value, which is either text from the environment or the command line, or a value passed in code.
 */
export interface Parser<T> {
  /** Description of valid values for error messages and help: "an integer ≥ 1". */
  readonly expects: string
  /** True for switches, which need no value on the command line. */
  readonly isSwitch?: boolean
  /** Throws any error if the value is invalid; the caller builds the message from `expects`. */
  readonly parse: (value: unknown) => T
}

class InvalidValue extends Error {}

/** Parses a non-empty string and trims whitespace. */
export const text: Parser<string> = {
  expects: 'a string',
  parse: (value) => {
    if (typeof value !== 'string' || value.trim() === '') throw new InvalidValue()
    return value.trim()
  },
}

/** Parses an address to listen on. An IPv6 address may have brackets, as in a URL. */
export const listenAddress: Parser<string> = {
  expects: 'a host name or an IP address',
  parse: (value) => text.parse(value).replace(/^\[([0-9a-f:.%]+)\]$/i, '$1'),
}

/** Parses a string that may be empty, and trims whitespace. */
export const textOrEmpty: Parser<string> = {
  expects: 'a string',
  parse: (value) => {
    if (typeof value !== 'string') throw new InvalidValue()
    return value.trim()
  },
}

/** Characters of a header value; line breaks and other control characters do not match. Source: RFC 9110 §5.5. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Restricts another parser to values that are valid in an HTTP header. In a list, every item must be valid. */
export function inHeader<T extends string | readonly string[]>(parser: Parser<T>): Parser<T> {
  return {
    expects: `${parser.expects} that fits into an HTTP header`,
    parse: (value) => {
      const parsed = parser.parse(value)
      if (![parsed].flat().every((item) => HEADER_VALUE.test(String(item)))) throw new InvalidValue()
      return parsed
    },
  }
}

/** Parses the name of an HTTP header (RFC 9110 §5.1). */
export const headerName: Parser<string> = {
  expects: 'the name of an HTTP header',
  parse: (value) => {
    const name = text.parse(value)
    if (!HEADER_NAME.test(name)) throw new InvalidValue()
    return name
  },
}

/** Parses a comma-separated string or an array. Trims items and drops empty items. Throws if no item remains. */
export const list: Parser<readonly string[]> = {
  expects: 'a comma-separated list',
  parse: (value) => {
    const items = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
    const texts = items.map((item) => textOrEmpty.parse(item)).filter((item) => item !== '')
    if (texts.length === 0) throw new InvalidValue()
    return texts
  },
}

const TRUE = new Set(['true', '1', 't', 'yes', 'on'])
const FALSE = new Set(['false', '0', 'f', 'no', 'off'])

/** Parses a switch: true/false/1/0/t/f/yes/no/on/off in any case. */
export const flag: Parser<boolean> = {
  expects: 'true or false',
  isSwitch: true,
  parse: (value) => {
    if (typeof value === 'boolean') return value
    const word = typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : ''
    if (TRUE.has(word)) return true
    if (FALSE.has(word)) return false
    throw new InvalidValue()
  },
}

/**
 * Creates a parser of integers between `min` and `max`. Accepts only decimal digits, so `1.9s`, `1e3` and `0x10` are
 * invalid.
 */
export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER): Parser<number> {
  const upTo = max === Number.MAX_SAFE_INTEGER ? `≥ ${min}` : `from ${min} to ${max}`
  return {
    expects: `an integer ${upTo}`,
    parse: (value) => {
      const digits = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
      if (!/^-?\d+$/.test(digits)) throw new InvalidValue()
      const number = Number(digits)
      if (number < min || number > max) throw new InvalidValue()
      return number
    },
  }
}

/** Creates a parser that accepts one of several words, in any case. */
export function oneOf<const T extends string>(words: readonly T[]): Parser<T> {
  return {
    expects: `one of ${words.join(', ')}`,
    parse: (value) => {
      const wanted = textOrEmpty.parse(value).toLowerCase()
      const word = words.find((candidate) => candidate.toLowerCase() === wanted)
      if (word === undefined) throw new InvalidValue()
      return word
    },
  }
}

/** Parses an absolute http or https URL. */
export const httpUrl: Parser<string> = {
  expects: 'an absolute http(s) URL',
  parse: (value) => {
    const url = text.parse(value)
    if (!/^https?:\/\/\S+$/i.test(url) || !URL.canParse(url)) throw new InvalidValue()
    return url
  },
}

/**
 * Parses an http or https URL for `fetch`. Rejects a URL that contains credentials: `fetch` would reject it too, with
 * an error that shows the credentials.
 */
export const fetchUrl: Parser<string> = {
  expects: 'an absolute http(s) URL without user and password',
  parse: (value) => {
    const address = httpUrl.parse(value)
    const { username, password } = new URL(address)
    if (`${username}${password}` !== '') throw new InvalidValue()
    return address
  },
}

/** Parses the base URL of an API. It may not have a query or a fragment, because paths are appended to it. */
export const apiUrl: Parser<string> = {
  expects: 'an absolute http(s) URL without user, password, query and fragment',
  parse: (value) => {
    const address = fetchUrl.parse(value)
    if (/[?#]/.test(address)) throw new InvalidValue()
    return address
  },
}

/**
 * Parses a base path: '' or a path such as '/base/path'. Adds a missing leading slash, and removes trailing and
 * repeated slashes. Rejects characters with a special meaning in URLs or routes (`?`, `#`, `*`, `%`, `\`, whitespace).
 */
export const basePath: Parser<string> = {
  expects: 'a path',
  parse: (value) => {
    const trimmed = textOrEmpty
      .parse(value)
      .replace(/\/+/g, '/')
      .replace(/^\/|\/$/g, '')
    if (/[?#*%\\\s]/.test(trimmed)) throw new InvalidValue()
    return trimmed === '' ? '' : `/${trimmed}`
  },
}

/** Creates a parser for values that can be set only in code: functions, or objects with certain properties. */
export function inCode<T>(expects: string, accepts: (value: unknown) => value is T): Parser<T> {
  return {
    expects,
    parse: (value) => {
      if (!accepts(value)) throw new InvalidValue()
      return value
    },
  }
}
