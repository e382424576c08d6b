import { pluralOf } from '../../../lib/plural.ts'
import type { PhoneForms } from '../../../lib/text.ts'
import type { Reader } from '../../../store/reader.ts'
import { includesFor, usedLinks, withDerived } from '../../finding/export/columns.ts'
import { extensions, type Format, mediaTypeOf } from '../../finding/export/formats.ts'
import { type Asked, readExportQuery } from '../../finding/export/query.ts'
import { type Exported, exportReading } from '../../finding/export/read-export.ts'
import type { Approached } from '../../finding/list/approach.ts'
import { askerOf, forAsker } from '../../finding/list/asker.ts'
import { declaredOf } from '../../records/declared/declared.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { recordJson } from '../../records/select.ts'
import type { ApiResponse } from '../call/http-response.ts'
import type { Call } from '../call/route.ts'

/**
 * Every record that matches the query and the conditions in `also`, as of one moment, as a file (decision K1). Throws VALIDATION_ERROR,
 * SERVICE_UNAVAILABLE.
 */
export async function exportList(
  resource: Resource,
  call: Call,
  { format, phones, also }: { format: Format; phones: PhoneForms; also: readonly Approached[] },
): Promise<ApiResponse> {
  const exported = exportedOf(resource, call.reader, {
    ...{ format, queryString: call.query, phones },
    asker: askerOf(call),
  })
  exported.where.push(...also)
  const { read } = await call.read(exportReading, exported)
  await call.log.synced()
  const name = `${pluralOf(resource)}.${extensions[format]}`
  const headers = ['Content-Disposition', `attachment; filename="${name}"`, 'Vary', 'Accept']
  return { status: 200, body: '', parts: read(''), mediaType: contentType(mediaTypeOf(format)), headers }
}

/** Reads the query string of an export. Throws VALIDATION_ERROR. */
export function exportedOf(resource: Resource, reader: Reader, asked: Asked): Exported {
  const query = readExportQuery(resource, declaredOf(resource, reader), asked)
  const { where, order, columns, includes, raw, bom } = query
  const { format } = asked
  const links = format === 'ndjson' && query.isWhole ? Object.entries(resource.links) : []
  const json =
    format === 'csv' ? withDerived(recordJson(resource, includesFor(columns)), columns) : recordJson(resource, includes)
  return {
    format,
    name: resource.name,
    table: resource.table,
    where: forAsker(where, asked.asker),
    order,
    json,
    ...(links.length > 0 && {
      linked: {
        json: recordJson(resource, [...includes, ...links.map(([name]) => name)]),
        isUsed: links.map(([, link]) => usedLinks(resource, link)),
      },
    }),
    columns,
    raw,
    bom,
  }
}

function contentType(mediaType: string): string {
  return mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType
}
