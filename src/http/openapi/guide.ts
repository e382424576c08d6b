import { type ErrorCode, errorStatus } from '../../errors.ts'
import { errorMeanings } from './errors.ts'

/** The part of the documentation that applies to every endpoint, in Markdown. */
export const guide = `Organizations, contacts, deals in a staged pipeline, tasks and activities, as JSON over HTTP. A summary for
language models is at [llms.txt](llms.txt).

## Keys

Every request to a path that begins with \`/api-v1-\` needs \`Authorization: Bearer <key>\`. A key is \`svc_live_\` or \`svc_test_\` followed by
32 letters and digits. It belongs to one company and gives access to one of its two workspaces, live or test, which share no data. Its scopes
define what it may do: \`read:…\` and \`write:…\` for each kind of record, \`read:all\`, \`write:all\`, \`admin:all\`. A write scope does not include the read scope.

## Records

Ids are UUIDs that sort in the order of creation. Timestamps are ISO 8601 in UTC with milliseconds; one without an offset is in UTC, and a date means
midnight in UTC. Strings are trimmed before they are validated; the schemas describe the trimmed value. Empty optional text is stored as
null; an empty string is invalid for other types. U+0000 is invalid. A string is not accepted for a number. A number in \`metadata\`
that a double cannot represent exactly (9007199254740993) is invalid: send it as a string. Unknown fields in a body are ignored; unknown query
parameters are an error. When a record is created, \`null\` means the same as leaving the field out. In a PATCH, \`null\` clears an optional field
and is invalid for a field that always has a value; for \`metadata\` it means \`{}\`. A reference must point to a record in the same workspace that
is not deleted. Deleted records are never returned. References to them remain, and the related record is null.

## Lists

Lists are sorted newest first unless \`sort\` is given. Read further pages with \`page\` (and \`limit\`), or with \`cursor\`: omit it for the first
page, then pass \`next_cursor\` until it is null. Or follow \`Link: <…>; rel="next"\` until a page has none: by cursor, unless \`page\` or
\`per_page\` is given. With cursors, every record that exists the whole time is returned exactly once. \`total\` is exact.

A filter is \`field=value\` or \`field[operator]=value\`; for tasks and activities it is documented as \`filter[field]=value\` and
\`filter[field][operator]=value\`. Every list accepts both forms. Operators: \`eq\`, \`ne\`, \`gt\`, \`gte\`, \`lt\`, \`lte\`, \`like\` (text: contains,
case-insensitive; \`%\` matches any characters), \`in\` (values separated by commas). All filters must match; at most 50 are allowed. \`ne\`
also matches records whose field is null. With \`eq\`, \`ne\` and \`in\`, the value \`null\` means an empty field. A date as the value for a
timestamp means the complete UTC day. Enumerations compare by their order. \`eq\`, \`ne\` and \`in\` compare text exactly;
\`gt\`, \`gte\`, \`lt\` and \`lte\` compare it case-insensitively.

## Writing safely

A successful response to a write means that the write is on disk. Responses with one record have an \`ETag\`. Send it as \`If-Match\` with a PATCH, PUT
or DELETE to avoid overwriting a change that you have not seen. Send it as \`If-None-Match\` with a GET to get 304 if nothing has changed.
A POST with the header \`Idempotency-Key\` (1 to 255 visible ASCII characters of your choice) can be repeated: once it has succeeded, it gets
the same response for 24 hours and is not executed again. A rejected request may be corrected and sent again with the same key.

## Compression

With \`Accept-Encoding: gzip\`, responses of 2 KiB or more are compressed, except those that show a new key. The \`ETag\` of a compressed
record is weak (\`W/"…"\`); \`If-Match\` and \`If-None-Match\` accept both forms.

## Limits

Requests are limited for each key, per minute (rolling 60 seconds) and per UTC day. Requests without a valid key are limited to 300 per minute
for each address. The headers of every response show what is left. After 429, 503 and, while the first request with an
\`Idempotency-Key\` runs, 409, retry after \`Retry-After\` seconds; after 500, retry with increasing delays. Do not retry other errors. By default, a
body may have up to 1 MiB, that of a bulk import up to 16 MiB.

## Errors

\`{ "error": { "code", "message", "details" } }\`; \`details\` lists every invalid field, in the order of the fields.

${errorTable()}
`

/** Every code with its status and meaning, as a table in Markdown. */
export function errorTable(): string {
  const rows = (Object.entries(errorMeanings) as [ErrorCode, string][]).map(
    ([code, meaning]) => `| \`${code}\` | ${errorStatus[code]} | ${meaning} |`,
  )
  return ['| code | status | when |', '| --- | --- | --- |', ...rows].join('\n')
}
