import { exampleContent, file, fileReferences } from '../../crm/file.ts'
import type { Describer, Description } from '../../engine/records/describe.ts'

export function describeUpload(doc: Describer): Description {
  return {
    id: 'uploadFile',
    tag: doc.tag(file),
    summary: 'Upload a file',
    details: `The body is the file, and \`Content-Type\` its media type; none, and \`application/x-www-form-urlencoded\`, count as \`application/octet-stream\`. At least one of ${fileReferences.map((name) => `\`${name}\``).join(', ')} is required. The body may have \`--file-bytes-max\` bytes (25 MiB).`,
    query: [
      { name: 'name', schema: doc.field(file, 'name'), about: 'Required.', required: true },
      ...fileReferences.map((name) => ({ name, schema: doc.field(file, name) })),
      { name: 'metadata', schema: { type: 'string' }, about: 'A JSON object.' },
    ],
    file: exampleContent,
    response: { ...doc.shown(file, 'The new file.'), status: 201 },
    errors: {
      FEATURE_NOT_ENABLED: 'The server stores no files.',
      PLAN_LIMIT_EXCEEDED: 'The plan allows no more bytes (`max_storage_bytes`).',
      INVALID_REQUEST: 'The body is empty.',
    },
    example: {
      query: doc.exampleBody(file) as Record<string, string>,
      response: { data: doc.exampleRecord(file) },
    },
  }
}

export function describeContent(doc: Describer): Description {
  return {
    id: 'getFileContent',
    tag: doc.tag(file),
    summary: 'Download a file',
    details:
      'The bytes as they were uploaded. One `Range` is answered with 206; several, with everything. A response that breaks off is incomplete: the server noticed that the content is damaged.',
    query: [
      {
        name: 'inline',
        schema: { type: 'string', enum: ['0', '1'] },
        about:
          '`1`: a browser may show a PNG, JPEG, GIF, WebP, AVIF, PDF, or plain UTF-8 text whose content matches its type. Otherwise it downloads the file.',
      },
    ],
    sent: 'The content of the file.',
    response: { about: 'The content of the file.', schema: { type: 'string' }, mediaType: '*/*', tagged: true },
    example: { params: { id: doc.exampleId('file') }, response: exampleContent },
  }
}
