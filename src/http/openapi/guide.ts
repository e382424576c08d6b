import { type ErrorCode, errorStatus } from '../../errors.ts'
import { errorMeanings } from './errors.ts'

/** What holds for every endpoint, in Markdown. */
export const guide = `Organizations, contacts, deals in a staged pipeline, tasks and activities, as JSON over HTTP. The same in short, for
language models: [/llms.txt](/llms.txt).

## Keys

Every request to a path below \`/api-v1-\` carries \`Authorization: Bearer <key>\`. A key is \`svc_live_\` or \`svc_test_\` and 32 letters
and digits. It belongs to one company and opens one of its two workspaces, live or test, whose data are fully apart. What it may do is told
by its scopes: \`read:…\` and \`write:…\` of a kind of records, \`read:all\`, \`write:all\`, \`admin:all\`. Writing does not include reading.

## Records

Ids are UUIDs, in order of creation. Timestamps are ISO 8601 in UTC with milliseconds; one without an offset is taken as UTC, a date as its
midnight in UTC. Strings are trimmed before they are validated; the schemas describe the trimmed value. Optional text that is empty is stored
as null; an empty string is invalid for anything but text. U+0000 is invalid. Numbers are not read from strings; a number in \`metadata\` that
a double cannot hold exactly (9007199254740993) is invalid: send it as text. Unknown fields of a body are ignored, unknown parameters of a
query are an error. When a record is created, \`null\` means the same as leaving the field out. In a PATCH, \`null\` clears an optional field
and is invalid for a field that always has a value; \`metadata\` becomes \`{}\`. A reference must lead to a record of the same workspace that
is not deleted. Deleted records appear nowhere; references to them stay, and the related record is null.

## Lists

Newest first, unless \`sort\` says otherwise. Two ways to walk: \`page\` (with \`limit\`), or \`cursor\`: begin without, then pass \`next_cursor\`
until it is null. By cursor a walk sees every record that is there throughout exactly once. \`total\` is exact.

A filter is \`field=value\` or \`field[operator]=value\`; for tasks and activities it is documented as \`filter[field]=value\` and
\`filter[field][operator]=value\`. Every list accepts both forms. Operators: \`eq\`, \`ne\`, \`gt\`, \`gte\`, \`lt\`, \`lte\`, \`like\` (text: contains,
whatever the letter case; \`%\` stands for anything), \`in\` (values separated by commas). Several filters must all hold; at most 50. \`ne\`
keeps records whose field is null. With \`eq\`, \`ne\` and \`in\`, the value \`null\` stands for an empty field. Of a timestamp, a date means the
whole UTC day. Enumerations compare by their order, text without regard to letter case.

## Writing safely

An answer to a write means that it is on the disk. Answers with one record carry an \`ETag\`: send it as \`If-Match\` with a PATCH or DELETE,
and nothing is overwritten that you have not seen; send it as \`If-None-Match\` with a GET, and what has not changed is not sent again.
A POST with the header \`Idempotency-Key\` (1 to 255 visible ASCII characters of your choice) can be repeated: once it has succeeded, it gets
the same response for 24 hours and is not executed again. A rejected request may be corrected and sent again with the same key.

## Compression

With \`Accept-Encoding: gzip\`, responses of 2 KiB and more are compressed, but for those that show a new key. The \`ETag\` of a compressed
record is weak (\`W/"…"\`); \`If-Match\` and \`If-None-Match\` accept it in either form.

## Limits

Requests are limited per key, by minute (rolling 60 seconds) and UTC day; without a valid key per address, 300 a minute. Every answer says
what is left. Try again after \`Retry-After\` at 429 and 503, with growing pauses at 500; not at other errors.
A body may have 1 MiB, that of a bulk import 16 MiB, unless the server is set otherwise.

## Errors

\`{ "error": { "code", "message", "details" } }\`; \`details\` lists every faulty field, in the order of the fields.

${errorTable()}
`

/** Every code with its status and meaning, as a table in Markdown. */
export function errorTable(): string {
  const rows = (Object.entries(errorMeanings) as [ErrorCode, string][]).map(
    ([code, meaning]) => `| \`${code}\` | ${errorStatus[code]} | ${meaning} |`,
  )
  return ['| code | status | when |', '| --- | --- | --- |', ...rows].join('\n')
}
