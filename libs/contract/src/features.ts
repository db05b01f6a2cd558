import { z } from 'zod';

export const Features = z
  .object({
    self_hosted: z.boolean().meta({ description: 'Whether the installation is self-hosted.' }),
    aws_integration: z.boolean().meta({ description: 'Whether the operator has set credentials for AWS.' }),
    azure_integration: z.boolean().meta({ description: 'Whether the operator has set credentials for Azure.' }),
    github_integration: z.boolean().meta({ description: 'Whether the operator has set a GitHub App.' }),
    console_url: z.string().nullable().meta({ description: 'The address of the console, if the core knows it.' }),
  })
  .meta({ id: 'FeaturesResponse', description: 'The features of this installation.' });
export type Features = z.infer<typeof Features>;
