import { toOneLine } from '@burgee/kit/one-line'

/** Characters with a meaning in Markdown and HTML: within a line, and at its start. */
const MARKUP = /[\\`*_[\]<>~&]|^[#+=-]/g

/** Text in Markdown. Only the functions of this file create it, so that texts of users are always escaped. */
export class Markdown {
  readonly text: string

  private constructor(text: string) {
    this.text = text
  }

  /** Formats a text of a user as text without markup, in one line. */
  static escape(text: string): Markdown {
    return new Markdown(toOneLine(text).replace(MARKUP, '\\$&'))
  }

  /** Formats a text of a user as code, so that markup and line breaks in it have no effect. */
  static code(text: string): Markdown {
    return new Markdown(`\`${toOneLine(text).replaceAll('`', ' ') || ' '}\``)
  }

  /** Formats a web address as a link. */
  static link(url: string): Markdown {
    return new Markdown(
      `<${url.replace(/[<>\s\p{C}]/gu, (character) => encodeURIComponent(character.toWellFormed()))}>`,
    )
  }

  /** Fills a template of Markdown. Values that are not Markdown are escaped. */
  static fill(parts: readonly string[], ...values: readonly (string | number | Markdown)[]): Markdown {
    return new Markdown(parts.reduce((text, part, index) => `${text}${toText(values[index - 1] ?? '')}${part}`))
  }

  /** Joins texts. */
  static join(items: readonly Markdown[], separator: string): Markdown {
    return new Markdown(items.map(({ text }) => text).join(separator))
  }
}

function toText(value: string | number | Markdown): string {
  return value instanceof Markdown ? value.text : Markdown.escape(String(value)).text
}
