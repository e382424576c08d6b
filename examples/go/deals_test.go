package leads

import (
	"net/http"
	"strings"
	"testing"
)

func TestADealWithoutATitleIsRefused(t *testing.T) {
	request, err := http.NewRequest("POST", sandbox.URL+"/api-v1-deals", strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+sandbox.Key)
	request.Header.Set("Content-Type", "application/json")

	response, err := http.DefaultClient.Do(request)

	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusBadRequest {
		t.Errorf("status %d", response.StatusCode)
	}
}
