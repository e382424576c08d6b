import { s3Endpoint, s3Place } from '../lib/s3-setting-kinds.ts'
import { optionalText, text } from '../lib/setting-kinds.ts'
import { setting, variable } from './setting.ts'

/** Where the content of files is (docs/files.md). */
export const contentDefinitions = {
  files: setting(
    '--files <url>',
    'KONTOR_FILES',
    '',
    'where the content of files is stored: a bucket with a prefix, s3://bucket/prefix; none: in the data directory',
    s3Place,
  ),
  s3Endpoint: variable(
    'KONTOR_S3_ENDPOINT',
    '',
    'address of the S3 server, such as http://10.0.0.5:3900; none: that of AWS for the region',
    s3Endpoint,
  ),
  s3Region: variable('KONTOR_S3_REGION', 'us-east-1', 'region for which requests to S3 are signed', text),
  s3AccessKeyId: variable('KONTOR_S3_ACCESS_KEY_ID', '', 'access key for S3', optionalText),
  s3SecretAccessKey: {
    ...variable('KONTOR_S3_SECRET_ACCESS_KEY', '', 'secret of the access key', optionalText),
    isSecret: true,
  },
} as const

/** Everything that says where content is. */
export const contentSettings = Object.keys(contentDefinitions) as (keyof typeof contentDefinitions)[]
