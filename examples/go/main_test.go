package leads

import (
	"encoding/json"
	"log"
	"os"
	"os/exec"
	"strconv"
	"testing"
)

var sandbox struct{ URL, Key string }

func TestMain(m *testing.M) {
	// The sandbox ends with this process.
	command := exec.Command("npx", "--no", "kontor", "sandbox", "--seed", "demo", "--parent", strconv.Itoa(os.Getpid()))
	output, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err == nil {
		err = json.NewDecoder(output).Decode(&sandbox)
	}
	if err != nil {
		log.Fatal(err)
	}
	os.Exit(m.Run())
}
