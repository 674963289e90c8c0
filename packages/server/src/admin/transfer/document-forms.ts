import { isNestedTooDeeply, parseJson } from '@burgee/kit/http/json-body'
import { Refusal } from '@burgee/kit/http/refusal'
import type { BodyForm } from '@burgee/kit/http/route'
import Type from 'typebox'
import { parseDocument, UnreadableDocument } from './state-document.ts'

/**
 * Maximum length of a YAML document. YAML is parsed on the thread that also answers SDKs, at a few megabytes per
 * second.
 */
const MAX_YAML_CHARACTERS = 4_000_000

const yaml = (mediaType: string): BodyForm => ({
  mediaType,
  schema: Type.String(),
  read: parseContent,
})

/**
 * Body formats that are accepted besides JSON: YAML with any of its media types, and a form with which a file is
 * uploaded. Source: wire protocol
 */
export const DOCUMENT_FORMS: readonly BodyForm[] = [
  ...['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'].map(yaml),
  {
    mediaType: 'multipart/form-data',
    schema: Type.Object({ file: Type.String({ format: 'binary' }) }),
    read: async (bytes, contentType) => parseContent(await readFormFile(bytes, contentType)),
  },
]

function parseContent(bytes: Buffer): unknown {
  const text = bytes.toString('utf8')
  if (/^\s*\{/.test(text)) {
    try {
      return parseJson(bytes)
    } catch (error) {
      // the text is not JSON; it may be YAML, which can also begin with a brace
      if (isNestedTooDeeply(bytes)) throw error
    }
  }
  if (text.length > MAX_YAML_CHARACTERS) {
    throw new Refusal('too-large', `YAML of more than ${MAX_YAML_CHARACTERS} characters`)
  }
  try {
    return parseDocument(text)
  } catch (error) {
    if (error instanceof UnreadableDocument) throw new Refusal('syntax', error.message)
    throw error
  }
}

async function readFormFile(bytes: Buffer, contentType: string): Promise<Buffer> {
  const [file, ...others] = (await readFormFields(bytes, contentType)).getAll('file')
  if (file === undefined) throw new Refusal('syntax', 'The form has no field "file" with the document.')
  if (others.length > 0) throw new Refusal('syntax', 'The form has several fields "file": send one document at a time.')
  return typeof file === 'string' ? Buffer.from(file) : Buffer.from(await file.arrayBuffer())
}

async function readFormFields(bytes: Buffer, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData()
  } catch (cause) {
    throw new Refusal('syntax', 'The form is invalid: its parts do not match the boundary of its content type.', {
      cause,
    })
  }
}
