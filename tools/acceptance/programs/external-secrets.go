// Reads the manifests of a SecretStore, an ExternalSecret and a Secret from standard input, and prints the data of the
// Secret that the External Secrets Operator creates from them, as JSON. The provider and the templates are those of the
// operator; only the API server is replaced.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	esv1 "github.com/external-secrets/external-secrets/apis/externalsecrets/v1"
	"github.com/external-secrets/external-secrets/pkg/controllers/templating"
	"github.com/external-secrets/external-secrets/pkg/provider/webhook"
	"github.com/external-secrets/external-secrets/pkg/template"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// secrets is an API server that has one Secret.
type secrets struct {
	client.Client
	secret corev1.Secret
}

func (s *secrets) Get(_ context.Context, key types.NamespacedName, into client.Object, _ ...client.GetOption) error {
	if key.Name != s.secret.Name {
		return fmt.Errorf("the Secret %s does not exist", key.Name)
	}
	s.secret.DeepCopyInto(into.(*corev1.Secret))
	return nil
}

type manifests struct {
	store    esv1.SecretStore
	external esv1.ExternalSecret
	secret   corev1.Secret
}

// parse rejects members that the operator does not know.
func parse(text []byte) (found manifests, err error) {
	for _, document := range bytes.Split(text, []byte("\n---\n")) {
		var head struct{ Kind string }
		if err := yaml.Unmarshal(document, &head); err != nil {
			return found, err
		}
		into, known := map[string]any{
			"SecretStore": &found.store, "ExternalSecret": &found.external, "Secret": &found.secret,
		}[head.Kind]
		if !known {
			return found, fmt.Errorf("unexpected kind %q", head.Kind)
		}
		if err := yaml.UnmarshalStrict(document, into); err != nil {
			return found, err
		}
	}
	return found, nil
}

// read returns what the provider reads for an ExternalSecret.
func read(ctx context.Context, provider esv1.SecretsClient, spec esv1.ExternalSecretSpec) (map[string][]byte, error) {
	data := map[string][]byte{}
	for _, from := range spec.DataFrom {
		values, err := provider.GetSecretMap(ctx, *from.Extract)
		if err != nil {
			return nil, err
		}
		for name, value := range values {
			data[name] = value
		}
	}
	for _, entry := range spec.Data {
		value, err := provider.GetSecret(ctx, entry.RemoteRef)
		if err != nil {
			return nil, err
		}
		data[entry.SecretKey] = value
	}
	return data, nil
}

// render returns the data of the Secret, with the defaults that the API server adds to a template.
func render(ctx context.Context, target *esv1.ExternalSecretTemplate, data map[string][]byte) (map[string][]byte, error) {
	if target == nil {
		return data, nil
	}
	execute, err := template.EngineForVersion(esv1.TemplateEngineV2)
	if err != nil {
		return nil, err
	}
	for at := range target.TemplateFrom {
		target.TemplateFrom[at].Target = esv1.TemplateTargetData
	}
	secret := &corev1.Secret{}
	parser := templating.Parser{TargetSecret: secret, DataMap: data, Exec: execute}
	err = parser.MergeTemplateFrom(ctx, "", target)
	return secret.Data, err
}

func run(ctx context.Context) error {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	found, err := parse(text)
	if err != nil {
		return err
	}
	provider, err := (&webhook.Provider{}).NewClient(ctx, &found.store, &secrets{secret: found.secret}, "")
	if err != nil {
		return err
	}
	if _, err := provider.Validate(); err != nil {
		return err
	}
	data, err := read(ctx, provider, found.external.Spec)
	if err != nil {
		return err
	}
	rendered, err := render(ctx, found.external.Spec.Target.Template, data)
	if err != nil {
		return err
	}
	texts := map[string]string{}
	for name, value := range rendered {
		texts[name] = string(value)
	}
	return json.NewEncoder(os.Stdout).Encode(texts)
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintf(os.Stderr, "%T: %v\n", err, err)
		os.Exit(1)
	}
}
