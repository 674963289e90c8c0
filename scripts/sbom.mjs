/**
 * Writes the software bill of materials of the `burgee` package and of the container image as CycloneDX 1.6 JSON: every
 * package that is bundled into them or installed with them. Writes to .cache/packages/burgee.cdx.json, or to a given
 * file, after validation against the CycloneDX schema.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Enums, Models, Serialize, Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { bundledPackages } from './packing/bundled-packages.mjs'
import { ROOT } from './packing/join-command.mjs'
import { readManifest } from './packing/library.mjs'
import { installedPackages } from './packing/packages.mjs'

const file = resolve(process.argv[2] ?? join(ROOT, '.cache', 'packages', 'burgee.cdx.json'))
const text = serialized(await billOfMaterials())
const problem = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)
if (problem !== null) throw new Error(`The bill of materials is not valid: ${JSON.stringify(problem)}`)
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, text)
console.log(file)

async function billOfMaterials() {
  const bom = new Models.Bom()
  const own = component(readManifest('bin'), Enums.ComponentType.Application)
  bom.metadata.component = own
  const parts = [...(await bundledPackages()), ...installedPackages()]
  for (const part of parts) {
    const one = component({ ...part, license: part.licence }, Enums.ComponentType.Library)
    bom.components.add(one)
    own.dependencies.add(one.bomRef)
  }
  // reproducible, because the serial number depends only on the packages and there is no timestamp
  bom.serialNumber = serialNumber(parts.map(({ name, version }) => `${name}@${version}`).join(' '))
  return bom
}

function component({ name, version, license }, type) {
  const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name]
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const one = new Models.Component(type, short, { group, version, purl, bomRef: purl })
  one.licenses.add(new Models.SpdxLicense(license))
  return one
}

function serialNumber(words) {
  const hex = createHash('sha256').update(words).digest('hex')
  // UUID version 8 (custom) and its variant bits, RFC 9562 §5.8
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)]
  return `urn:uuid:${parts.join('-')}`
}

function serialized(bom) {
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return serializer.serialize(bom, { sortLists: true, space: 2 })
}
